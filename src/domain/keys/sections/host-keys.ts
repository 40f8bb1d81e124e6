import { key } from '../key.ts';
import { choice, orNone, text, whole } from '../values.ts';

export const hostKeys = {
  access: key('host.access', choice(['run_command', 'none']), {
    default: 'run_command',
    description: 'How the host is asked. none: only GitLab is asked, and a drain waits longer.',
  }),
  kind: key('host.kind', choice(['docker', 'systemd', 'actions_runner']), {
    description:
      "How the runner runs on its host. actions_runner: GitHub's as a systemd unit, with runners github and only then.",
    otherwise: 'docker; actions_runner with runners github',
  }),
  name: key(
    'host.name',
    text('the name of a container or unit', /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,127}$/),
    {
      description: 'Name of the container or of the systemd unit.',
      otherwise: 'gitlab-runner; actions-runner with runners github',
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
        'Address on the host of the gRPC wrapper (gitlab-runner wrapper --grpc-listen), where the runner runs in one.',
    },
  ),
  listenPort: key('host.listen_port', whole('a port', { min: 1, max: 65_535 }), {
    default: 9252,
    description: "Port of the runner's listen_address on the host's loopback.",
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
        'Systems Manager document with the check scripts, as the command check-document prints it. prepare and healthcheck send it instead of AWS-RunShellScript.',
    },
  ),
};
