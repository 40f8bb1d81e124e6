import { lstat, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { StackShard } from '../../domain/shard.ts';
import { parseJson } from '../../domain/text/json.ts';
import { fill, fillAll } from '../../domain/text/placeholders.ts';
import { directoryMissing, stateShared, terraformTooOld } from '../../errors/terraform-errors.ts';
import { PortFailure } from '../../ports/failure.ts';
import { sweepPlanFiles } from './plan-file.ts';
import { toError } from './terraform-failure.ts';
import type { TerraformOptions } from './terraform-options.ts';
import { capture, type Failure, runForOutput, type TerraformOrder } from './terraform-run.ts';
import { sweepImports } from './tfstate/adoption.ts';

/**
 * Folder in which the commands for one shard run, initialised and with the shard's state selected.
 */
export interface Workplace {
  readonly shard: StackShard;
  readonly directory: string;
  /** Data folder of this shard. No other shard's backend is ever selected in it. */
  readonly dataDirectory: string;
}

/** Oldest versions whose plans report whether they are complete. */
const least = { terraform: '1.5.0', tofu: '1.6.0' } as const;

/** Initialises a folder for the shard's state. The backend stays unchanged. */
export async function initialisedWorkplace(
  options: TerraformOptions,
  shard: StackShard,
): Promise<Workplace> {
  const { settings } = options;
  const directory = resolve(fill(settings.directory, shard));
  const { runner, binary, name } = {
    runner: shard.runnerName,
    binary: settings.binary,
    name: shard.shard,
  };
  if (!(await isDirectory(directory))) {
    throw directoryMissing({ runner, shard: name, binary, directory: settings.directory });
  }
  const folder = `${shard.runnerName}-${shard.shard}`;
  const dataDirectory = join(directory, '.terraform', 'hosted-runner', folder);
  await refuseLinks(directory, folder);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const place = { shard, directory, dataDirectory };
  await sweepPlanFiles(place, options.processes);
  await sweepImports(place, options);
  await checkVersion(options, place);
  await initialise(options, place);
  await checkBackend(options, place);
  return place;
}

/**
 * Refuses links: a link would give one shard another's state, or expose saved plans to another
 * reader.
 */
async function refuseLinks(directory: string, folder: string): Promise<void> {
  const own = join('.terraform', 'hosted-runner');
  for (const name of [own, join(own, folder)]) {
    const found = await lstat(join(directory, name)).catch(() => undefined);
    if (found?.isSymbolicLink() !== true) continue;
    const detail = `${name} is a symbolic link; remove it`;
    throw new PortFailure({ kind: 'refused', effect: 'none', source: directory, detail });
  }
}

/** Opens the folder with the configured workspace, which is created on first use. */
export async function openWorkplace(
  options: TerraformOptions,
  place: Workplace,
): Promise<Workplace> {
  await selectWorkspace(options, place);
  return place;
}

export function orderOf(
  place: Workplace,
  command: string,
  rest: readonly string[],
): TerraformOrder {
  return { ...place, command, arguments: [command, ...rest] };
}

async function checkVersion(options: TerraformOptions, place: Workplace): Promise<void> {
  const { binary } = options.settings;
  const version = await readOutput(options, orderOf(place, 'version', ['-json']));
  const found = /"terraform_version":\s*"([^"]+)"/.exec(version)?.[1] ?? 'of an unknown version';
  if (isAtLeast(found, least[binary])) return;
  const { runnerName: runner, shard } = place.shard;
  throw terraformTooOld({ runner, shard, binary, version: found, least: least[binary] });
}

function isAtLeast(found: string, wanted: string): boolean {
  const [numbers, bounds] = [found, wanted].map((text) => text.split(/[.-]/).map(Number));
  const [major = Number.NaN, minor = 0] = numbers ?? [];
  const [leastMajor = 0, leastMinor = 0] = bounds ?? [];
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

async function initialise(options: TerraformOptions, place: Workplace): Promise<void> {
  const config = fillAll(options.settings.backendConfig, place.shard);
  const flags = [
    '-input=false',
    '-no-color',
    // Every job gets the committed provider versions, or fails with the reason.
    ...((await hasLockFile(place)) ? ['-lockfile=readonly'] : []),
    ...config.map((pair) => `-backend-config=${pair}`),
  ];
  const order = orderOf(place, 'init', flags);
  let ended = await capture(options, order);
  if (ended.kind === 'failed' && isOtherBackend(ended)) {
    // Only this local folder is reconfigured; no state is moved.
    for (const file of ['terraform.tfstate', 'environment']) {
      await rm(join(place.dataDirectory, file), { force: true });
    }
    ended = await capture(options, orderOf(place, 'init', [...flags, '-reconfigure']));
  }
  if (ended.kind === 'failed') throw toError({ options, order, failure: ended, touched: false });
}

function isOtherBackend({ diagnostics }: Failure): boolean {
  const changed = /Backend (?:configuration|type) changed|state migration|Backend initialization/i;
  return diagnostics.some(({ summary }) => changed.test(summary));
}

/**
 * Checks the backend. Without a backend block, Terraform only warns, and both shards would write
 * one state.
 */
async function checkBackend({ settings }: TerraformOptions, place: Workplace): Promise<void> {
  const { runnerName: runner, shard } = place.shard;
  const text = await readFile(join(place.dataDirectory, 'terraform.tfstate'), 'utf8').catch(
    () => '{}',
  );
  const { backend } = (parseJson(text) ?? {}) as { backend?: { type?: string; config?: object } };
  const values: Readonly<Record<string, unknown>> = { ...backend?.config };
  for (const pair of fillAll(settings.backendConfig, place.shard)) {
    const at = pair.indexOf('=');
    const [key, wanted] = [pair.slice(0, at), pair.slice(at + 1)];
    const found = values[key];
    // Only values with the shard's name are compared. These are text; others may be blocks or
    // lists.
    if (!wanted.includes(shard) || found === wanted) continue;
    throw stateShared({
      runner,
      shard,
      binary: settings.binary,
      setting: `${key}=${wanted}`,
      found:
        backend === undefined
          ? 'no backend'
          : `a backend with ${key} ${JSON.stringify(found ?? null)}`,
    });
  }
}

/** Selects the configured workspace if it exists, and creates none. */
export async function findWorkspace(options: TerraformOptions, place: Workplace): Promise<boolean> {
  const { workspace } = options.settings;
  if (workspace === undefined) return true;
  const words = ['select', '-no-color', fill(workspace, place.shard)];
  return (await runForOutput(options, orderOf(place, 'workspace', words))).kind === 'done';
}

async function selectWorkspace(options: TerraformOptions, place: Workplace): Promise<void> {
  const { workspace } = options.settings;
  if (workspace === undefined) return;
  const name = fill(workspace, place.shard);
  const order = orderOf(place, 'workspace', ['select', '-no-color', '-or-create', name]);
  const named = { ...order, command: 'workspace select' };
  const ended = await capture(options, named);
  if (ended.kind === 'failed')
    throw toError({ options, order: named, failure: ended, touched: false });
}

/** Returns the output of a read-only command. */
export async function readOutput(
  options: TerraformOptions,
  order: TerraformOrder,
): Promise<string> {
  const ended = await runForOutput(options, order);
  if (ended.kind === 'done') return ended.stdout;
  throw toError({ options, order, failure: ended, touched: false });
}

export async function hasLockFile({ directory }: Pick<Workplace, 'directory'>): Promise<boolean> {
  return stat(join(directory, '.terraform.lock.hcl')).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
