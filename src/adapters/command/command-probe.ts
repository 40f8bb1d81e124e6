import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import type { RunnerName, StackShard } from '../../domain/shard.ts';
import { fill } from '../../domain/text/placeholders.ts';
import type { ProbeResult } from '../../ports/registry.ts';
import { commandEnvironment } from './command-environment.ts';
import type { CommandOptions } from './command-infrastructure.ts';

/** Checks for each shard that each command exists and is executable. */
export async function probeCommands(
  options: CommandOptions,
  runnerName: RunnerName,
): Promise<ProbeResult[]> {
  const { settings, shards } = options;
  const folder = resolve(settings.workingDirectory ?? '.');
  if (!(await isDirectory(folder))) {
    const detail = `${settings.workingDirectory} is not a directory`;
    return [{ what: 'infrastructure.working_directory', outcome: 'missing', detail }];
  }
  const results = new Map<string, ProbeResult>();
  for (const name of ['apply', 'destroy', 'outputs'] as const) {
    for (const shard of shards) {
      const [file] = settings[name] ?? [];
      if (file === undefined) continue;
      const result = await probeFile(options, { name, file, folder, runnerName, shard });
      results.set(`${result.what} ${result.detail}`, result);
    }
  }
  return [...results.values()];
}

async function probeFile(
  { environment, settings }: CommandOptions,
  { name, file, folder, ...place }: StackShard & { name: string; file: string; folder: string },
): Promise<ProbeResult> {
  const program = fill(file, place);
  const { passEnvironment } = settings;
  const seen = commandEnvironment({ environment: environment(), passEnvironment, shard: place });
  // A program with a slash is relative to the working directory. Without a slash, PATH is searched.
  const paths = program.includes('/')
    ? [resolve(folder, program)]
    : (seen['PATH'] ?? '').split(delimiter).map((one) => resolve(folder, one, program));
  const what = `infrastructure.${name}`;
  const found = await Promise.all(paths.map(judgeFile));
  if (found.includes('runs')) {
    return { what, outcome: 'granted', detail: `${program} can be started` };
  }
  const detail = found.includes('not_executable')
    ? `not executable: ${program}`
    : `command not found: ${program}`;
  return { what, outcome: 'missing', detail };
}

async function judgeFile(path: string): Promise<'runs' | 'not_executable' | 'absent'> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return 'absent';
  return access(path, constants.X_OK).then(
    () => 'runs',
    () => 'not_executable',
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
