import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWords, signalName } from '../command-words.ts';
import { type Inside, lineCount, runnerUnitName, tailLog } from '../inside.ts';
import type { CallResult } from './calls.ts';
import type { Unit } from './unit.ts';

/**
 * Runs `systemctl` on a machine whose runner manager is a unit, with KillSignal=SIGQUIT as GitLab
 * recommends.
 */
export async function systemctl(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const { flags, rest, all } = parseWords(words, {
    valued: ['p', 'property', 's', 'signal', 'kill-who', 'kill-whom', 'n', 'lines', 'job-mode'],
  });
  const [verb = '', name = ''] = rest;
  if (verb === 'daemon-reload') return reload(inside);
  const unit = runnerService(inside, name);
  if (verb === 'show') {
    const wanted = [...all('p'), ...all('property')].flatMap((names) => names.split(','));
    return show(unit, { wanted, bare: flags.has('value') });
  }
  if (unit === undefined) {
    if (verb === 'is-active') return { code: 4, out: 'inactive\n' };
    return { code: 5, err: `Unit ${name} not loaded.\n` };
  }
  const signal = flags.get('s') ?? flags.get('signal') ?? 'TERM';
  const act = verbs[verb];
  if (act === undefined) return { code: 1, err: `Unknown command verb ${verb}.\n` };
  return act(unit, { signal, now: flags.has('now'), noBlock: flags.has('no-block'), inside });
}

interface Manner {
  signal: string;
  now: boolean;
  noBlock: boolean;
  inside: Inside;
}

const verbs: Readonly<
  Record<string, (unit: Unit, manner: Manner) => CallResult | Promise<CallResult>>
> = {
  'is-active': (unit) =>
    unit.isRunning ? { code: 0, out: 'active\n' } : { code: 3, out: 'inactive\n' },
  'is-enabled': () => ({ code: 0, out: 'enabled\n' }),
  status: (unit, { inside }) => ({
    code: unit.isRunning ? 0 : 3,
    out: `   Active: ${unit.isRunning ? 'active (running)' : 'inactive (dead)'}\n${tailLog(inside, 10)}`,
  }),
  kill: killUnit,
  stop: stopUnit,
  // Enabling only affects the next boot: Restart= stays active.
  enable: () => ({ code: 0 }),
  disable: (unit, manner) => (manner.now ? stopUnit(unit, manner) : { code: 0 }),
  mask: (unit, manner) => {
    unit.heldDown = true;
    return manner.now ? stopUnit(unit, manner) : { code: 0 };
  },
  unmask: (unit) => {
    unit.heldDown = false;
    return { code: 0 };
  },
  restart: async (unit, manner) => {
    await stopUnit(unit, manner);
    unit.heldDown = false;
    unit.start();
    return { code: 0 };
  },
  start: (unit) => {
    unit.heldDown = false;
    unit.start();
    return { code: 0 };
  },
};

function runnerService(inside: Inside, name: string): Unit | undefined {
  const { process } = inside.behaviour;
  const own = unitNames[process];
  return name === own || name === `${own}.service` ? inside.unit : undefined;
}

/** A container is no unit. */
const unitNames = {
  docker: undefined,
  systemd: runnerUnitName,
  actions_runner: 'actions-runner',
} as const;

function show(
  unit: Unit | undefined,
  { wanted, bare }: { wanted: readonly string[]; bare: boolean },
): CallResult {
  const running = unit?.isRunning === true;
  const properties: Readonly<Record<string, string>> = {
    Id: `${runnerUnitName}.service`,
    LoadState: unit === undefined ? 'not-found' : 'loaded',
    ActiveState: running ? 'active' : 'inactive',
    SubState: running ? 'running' : 'dead',
    MainPID: String(unit?.mainPid ?? 0),
    ExecMainStartTimestampMonotonic: String(Date.parse(unit?.startedAt ?? '') || 0),
    ExecMainStatus: String(unit?.exitCode ?? 0),
    Restart: unit === undefined || unit.heldDown ? 'no' : unit.restartPolicy,
    NRestarts: String(unit?.restarts ?? 0),
    KillSignal: '3',
    WorkingDirectory: unit?.settings.github?.home ?? '',
    UnitFileState: unit === undefined ? '' : 'enabled',
    // No unit waits for its start. A query by name prints the empty value, like the real systemctl.
    Job: '',
  };
  const names = wanted.length > 0 ? wanted : Object.keys(properties);
  const lines = names
    .filter((name) => name in properties)
    .map((name) => (bare ? properties[name] : `${name}=${properties[name]}`));
  return { code: 0, out: lines.map((line) => `${line}\n`).join('') };
}

/** Reads Restart= again, because a drop-in of the machine may have changed it. */
function reload(inside: Inside): CallResult {
  const own = unitNames[inside.behaviour.process] ?? runnerUnitName;
  const folder = join(inside.root, 'run/systemd/system', `${own}.service.d`);
  const text = existsSync(folder)
    ? readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('\n')
    : '';
  const policy = [...text.matchAll(/^\s*Restart=([\w-]+)/gm)].at(-1)?.[1];
  if (inside.unit && (policy === 'no' || policy === 'always' || policy === 'on-failure')) {
    inside.unit.restartPolicy = policy;
  } else if (inside.unit) inside.unit.restartPolicy = inside.unit.ownRestartPolicy;
  return { code: 0 };
}

function killUnit(unit: Unit, { signal }: Manner): CallResult {
  const name = signalName(signal);
  if (name === undefined) return { code: 1, err: `Failed to parse signal string ${signal}.\n` };
  if (unit.signal(name)) return { code: 0 };
  return {
    code: 1,
    err: `Failed to kill unit ${runnerUnitName}.service: No main process to kill\n`,
  };
}

async function stopUnit(unit: Unit, { noBlock }: Manner): Promise<CallResult> {
  const ended = unit.end('SIGQUIT', 2 ** 31 - 1);
  if (!noBlock) await ended;
  return { code: 0 };
}

export function journalctl(inside: Inside, words: readonly string[]): CallResult {
  const { flags } = parseWords(words, {
    valued: ['u', 'unit', 'n', 'lines', 'o', 'output', 'since'],
  });
  const isIso = (flags.get('o') ?? flags.get('output')) === 'short-iso';
  const stamp = (at: string) =>
    isIso ? `${at.slice(0, 19)}+0000 ${inside.instanceId} ${runnerUnitName}[1]: ` : '';
  return { code: 0, out: tailLog(inside, lineCount(flags.get('n') ?? flags.get('lines')), stamp) };
}
