import { describe, expect, test } from '@jest/globals';
import { judgeWorkload } from '../../../src/adapters/aws/hosts/workload.ts';
import { probeScript } from '../../../src/adapters/aws/scripts/probe-script.ts';
import { dockerHost, systemdHost } from '../sandbox-aws.ts';
import { runOnHost } from './on-a-host.ts';

const plain = (text: string) => text;
const id = 'abcdefgh12345678';
const image = 'registry.example.com/alpine:3';

// Stub of docker on a working host, without leftovers and with an image.
const works = `
case "$line" in
  *"{{.Image}}"*) echo sha256:0123 ;;
  images*) echo sha256:0123 ;;
  "ps --all --quiet --filter name=health-check-${id}") echo c0ffee ;;
esac
`;

/** Returns stubs in which one docker command fails. The stub of timeout shortens hung commands. */
function failing(command: string, printed: string): Record<string, string> {
  return {
    docker: `case "$line" in "${command}"*) echo '${printed}' >&2; exit 125 ;; esac\n${works}`,
  };
}

// Stub of `timeout -k 2 SECONDS command …`: a hanging command ends at once, as after the timeout.
const impatient = (hangs: string) => ({
  docker: works,
  timeout: `shift 3; case "$*" in "docker ${hangs}"*) exit 124 ;; esac; exec "$@"`,
});

const runProbe = (stubs: Record<string, string>, wanted?: string) =>
  judgeWorkload(runOnHost(probeScript(dockerHost, { id, image: wanted }), stubs).output, plain);

describe('the workload probe on a host', () => {
  test('creates a volume and a container with a time to live, and removes them in order', () => {
    const { output, calls } = runOnHost(probeScript(dockerHost, { id }), { docker: works });
    expect(judgeWorkload(output, plain)).toEqual({ kind: 'worked' });
    const acts = calls.filter((call) => /^docker (?:run|volume (?:create|rm)|rm)/.test(call));
    expect(
      acts.map((call) => call.replace(/expires=\d+/g, 'expires=…').split(' --pull')[0]),
    ).toEqual([
      `docker volume create --label hosted-runner.health-check=1 --label hosted-runner.expires=… health-check-${id}`,
      `docker run --name health-check-${id} --label hosted-runner.health-check=1 --label hosted-runner.expires=…`,
      `docker rm --force health-check-${id}`,
      `docker volume rm health-check-${id}`,
    ]);
    const [, expires] = /expires=(\d+)/.exec(acts[0] ?? '') ?? [];
    expect(Number(expires)).toBeGreaterThan(0);
  });

  test('removes only expired leftovers of earlier probes', () => {
    const leftovers = `
case "$line" in
  "ps --all --quiet --filter name=health-check-") echo old; echo young; echo foreign ;;
  inspect*old) echo '/health-check-old 1000' ;;
  inspect*young) echo '/health-check-young 99999999999' ;;
  inspect*foreign) echo '/my-health-check-x 1000' ;;
  "volume ls"*) echo health-check-old; echo other-health-check-old ;;
  "volume inspect"*) echo 1000 ;;
  *) ${works.trim()} ;;
esac`;
    const { calls } = runOnHost(probeScript(dockerHost, { id }), { docker: leftovers });
    expect(calls.filter((call) => /rm .*(?:old|young|foreign)/.test(call))).toEqual([
      'docker rm --force old',
      'docker volume rm health-check-old',
    ]);
  });

  test.each<[string, string, string, string]>([
    [
      'a full disk',
      'volume create',
      'Error response from daemon: no space left on device',
      'the disk is full: creating a volume: "Error response from daemon: no space left on device"',
    ],
    [
      'a read-only disk',
      'volume create',
      'mkdir /var/lib/docker/volumes/x: read-only file system',
      'the file system is read-only: creating a volume: "mkdir /var/lib/docker/volumes/x: read-only file system"',
    ],
    [
      'a broken disk',
      'run',
      'input/output error',
      'the disk is defective: running a container that writes to its volume: "input/output error"',
    ],
    [
      'no address for another container',
      'run',
      'no available IPv4 addresses on this network',
      'the host can create no more containers: running a container that writes to its volume: "no available IPv4 addresses on this network"',
    ],
    [
      'no process for another container',
      'run',
      'fork/exec /usr/bin/containerd-shim: resource temporarily unavailable',
      'the host can create no more containers: running a container that writes to its volume: "fork/exec /usr/bin/containerd-shim: resource temporarily unavailable"',
    ],
    [
      'no docker',
      'volume create',
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock',
      'docker does not run: creating a volume: "Cannot connect to the Docker daemon at unix:///var/run/docker.sock"',
    ],
    [
      'a container that cannot be removed',
      'rm --force',
      'device busy',
      'removing the container: "device busy"',
    ],
  ])('reports %s', (_, command, printed, reason) => {
    expect(runProbe(failing(command, printed))).toEqual({ kind: 'failed', reason });
  });

  test.each<[string, string]>([
    ['volume create', 'the disk or docker hangs: creating a volume: exit code 124'],
    [
      'run',
      'the disk or docker hangs: running a container that writes to its volume: exit code 124',
    ],
    ['volume rm', 'the disk or docker hangs: removing the volume: exit code 124'],
  ])('ends within its own deadline if %s hangs', (command, reason) => {
    expect(runProbe(impatient(command))).toEqual({ kind: 'failed', reason });
  });

  test.each<[string, string]>([
    [
      'dial tcp: lookup registry.example.com: no such host',
      'the image registry is unreachable: pulling the image: "dial tcp: lookup registry.example.com: no such host"',
    ],
    [
      'pull access denied for alpine',
      'the image registry refuses this host: pulling the image: "pull access denied for alpine"',
    ],
    [
      'toomanyrequests: You have reached your pull rate limit',
      'the image registry limits this host: pulling the image: "toomanyrequests: You have reached your pull rate limit"',
    ],
    [
      'manifest unknown',
      'the image registry lacks the image: pulling the image: "manifest unknown"',
    ],
    [
      'write /var/lib/docker/tmp/x: no space left on device',
      'the disk is full: pulling the image: "write /var/lib/docker/tmp/x: no space left on device"',
    ],
  ])('pulls the configured image, and names the registry: %s', (printed, reason) => {
    expect(runProbe(failing('pull', printed), image)).toEqual({ kind: 'failed', reason });
  });

  test('waits until its deadline for a registry that does not respond', () => {
    expect(runProbe(impatient('pull'), image)).toEqual({
      kind: 'failed',
      reason: 'the image registry is unreachable: pulling the image: no response within 60s',
    });
  });

  test('works with a pulled image', () => {
    expect(runProbe({ docker: works }, image)).toEqual({ kind: 'worked' });
  });

  test.each([
    ['docker', dockerHost],
    ['systemd', systemdHost],
  ] as const)('reports nothing about a host without an image (%s)', (_, settings) => {
    const { output } = runOnHost(probeScript(settings, { id }), {
      docker: 'case "$line" in inspect*|images*) exit 1 ;; esac',
    });
    expect(judgeWorkload(output, plain).kind).toBe('impossible');
  });
});
