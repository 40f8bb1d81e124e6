import { key } from '../key.ts';
import { choice, orNone, text, whole } from '../values.ts';

export const hostKeys = {
  access: key('host.access', choice(['run_command', 'none']), {
    default: 'run_command',
    description:
      'Access to the hosts. With none, hosted-runner queries only GitLab, and a drain waits longer.',
  }),
  kind: key('host.kind', choice(['docker', 'systemd', 'actions_runner']), {
    description:
      'Type of the runner process on the host. actions_runner (a GitHub runner as a systemd unit) is only for runners github.',
    otherwise: 'docker, or actions_runner with runners github',
  }),
  name: key(
    'host.name',
    text('the name of a container or unit', /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,127}$/),
    {
      description: 'Name of the container or of the systemd unit.',
      otherwise: 'gitlab-runner, or actions-runner with runners github',
    },
  ),
  wrapper: key(
    'host.wrapper',
    orNone(
      text(
        'none, or an address such as tcp://localhost:7777 or unix:///run/wrapper.sock',
        /^(?:none|tcp:\/\/(?:localhost|127\.0\.0\.1):\d{1,5}|unix:\/\/\/[A-Za-z0-9_][A-Za-z0-9_./-]{0,199})$/,
      ),
    ),
    {
      default: 'none',
      description:
        'Address of the gRPC wrapper on the host (gitlab-runner wrapper --grpc-listen), if the runner uses one.',
    },
  ),
  listenPort: key('host.listen_port', whole('a port', { min: 1, max: 65_535 }), {
    default: 9252,
    description: "Port of the runner's listen_address on the host's loopback address.",
  }),
  document: key(
    'host.document',
    orNone(
      text(
        'none, or the name of a document of your own',
        /^(?![Aa][Ww][Ss]|[Aa][Mm][Aa][Zz][Oo][Nn]|[Aa][Mm][Zz][Nn])[A-Za-z0-9_.-]{3,128}$/,
      ),
    ),
    {
      default: 'none',
      description:
        'Systems Manager document with the check scripts, printed by the command check-document. prepare and healthcheck use it instead of AWS-RunShellScript.',
    },
  ),
};
