import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { shellQuoted } from '../../../src/domain/text/shell-quoting.ts';
import { parseWords, type Words } from '../command-words.ts';
import type { Container } from '../containers.ts';
import type { Inside } from '../inside.ts';
import type { CallResult } from './calls.ts';
import { labelsOf } from './docker-volume.ts';

/**
 * Runs the container's real command in a separate folder. The volumes' folders replace their mount
 * points, so a health check does real work.
 */
export async function runContainer(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const parsed = parseWords(words, { valued, stopsAtRest: true });
  const [image = '', ...command] = parsed.rest;
  if (inside.behaviour.workload === 'hangs') return new Promise(() => undefined);
  if (inside.behaviour.workload === 'broken') {
    return {
      code: 125,
      err: 'docker: Error response from daemon: failed to create task for container: no space left on device.\n',
    };
  }
  const container = createContainer(inside, parsed, image);
  if (typeof container === 'string') return { code: 125, err: container };
  const done = work(inside, { container, parsed, command });
  container.finished = done.then(() => undefined);
  if (parsed.flags.has('d') || parsed.flags.has('detach')) {
    return { code: 0, out: `${container.id}\n` };
  }
  return done;
}

function createContainer(inside: Inside, parsed: Words, image: string): Container | string {
  const createdAt = new Date(inside.now()).toISOString();
  const id = createHash('sha256')
    .update(`${createdAt}${inside.containers.list.length}${image}`)
    .digest('hex');
  const name = parsed.flags.get('name') ?? `sandbox_${id.slice(0, 8)}`;
  if (inside.containers.find(name) !== undefined) {
    return `docker: Error response from daemon: Conflict. The container name "/${name}" is already in use.\n`;
  }
  const labels = labelsOf([...parsed.all('label'), ...parsed.all('l')]);
  const container: Container = {
    id,
    name,
    image,
    labels,
    createdAt,
    state: 'running',
    exitCode: 0,
    log: '',
    finished: Promise.resolve(),
  };
  inside.containers.list.push(container);
  return container;
}

async function work(inside: Inside, run: Run): Promise<CallResult> {
  const { container, parsed, command } = run;
  const folder = join(inside.root, 'containers', container.id.slice(0, 12));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entry = parsed.flags.get('entrypoint');
  const words = [...(entry === undefined ? [] : [entry]), ...command].map((word) =>
    withVolumes(inside, parsed, word),
  );
  const script = words.length === 0 ? 'true' : `exec ${words.map(shellQuoted).join(' ')}\n`;
  const result = await inside.execute(script, { folder });
  container.state = 'exited';
  container.exitCode = result.code;
  container.log = result.out + result.err;
  if (parsed.flags.has('rm')) inside.containers.remove(container);
  rmSync(folder, { recursive: true, force: true });
  return result;
}

function withVolumes(inside: Inside, parsed: Words, word: string): string {
  let text = word;
  for (const volume of [...parsed.all('v'), ...parsed.all('volume')]) {
    const [name = '', target = ''] = volume.split(':');
    if (name.startsWith('/') || target === '') continue;
    if (!inside.containers.volumes.has(name)) inside.containers.createVolume(name, {});
    text = text.replaceAll(target, inside.containers.volumeFolder(name));
  }
  return text;
}

interface Run {
  container: Container;
  parsed: Words;
  command: readonly string[];
}

const valued = [
  'name',
  'v',
  'volume',
  'e',
  'env',
  'l',
  'label',
  'network',
  'memory',
  'm',
  'cpus',
  'entrypoint',
  'restart',
  'u',
  'user',
  'w',
  'workdir',
  'stop-timeout',
  'pull',
  'mount',
  'log-driver',
  'cidfile',
  'pids-limit',
  'platform',
  'security-opt',
  'cap-drop',
  'tmpfs',
  'ulimit',
];
