import { isHousekeeping } from './effects.ts';
import type { RunLog } from './event-file-parser.ts';
import type { Judge } from './judge.ts';
import { callsOf, type PortCall, parameterIn } from './world-model.ts';

/** Version of the lock's log, as far as these checks need it. */
interface Entry {
  readonly entry?: string;
  readonly nonce?: string;
  readonly from?: string;
}

interface Own {
  /** Nonces with which this run took the lock. */
  readonly nonces: Set<string | undefined>;
  /** Nonces that this run has released. */
  readonly released: Set<string | undefined>;
  /** Whether the last read showed another lock holder. */
  isForeign: boolean;
  /** Whether the last call on the lock got no response. */
  isRefused: boolean;
}

/**
 * Checks that a run releases its lock at its end, unless a call failed or another run took it.
 * After the run has read another holder, it must start no effect.
 */
export function checkLock(run: RunLog, judge: Judge): void {
  const { head, end } = run;
  if (head === undefined) return;
  const lock = `${head.prefix}deployment_lock`;
  const own: Own = { nonces: new Set(), released: new Set(), isForeign: false, isRefused: false };
  for (const call of callsOf(run)) {
    if (!isOnLock(call, lock)) {
      if (call.begins && !isHousekeeping({ call, head }))
        judge.expect(
          'S9',
          !own.isForeign,
          `line ${call.line.place}: ${call.name} after another owner of the lock was observed`,
        );
    } else if (!call.begins) noteCall(own, call);
  }
  if (own.nonces.size === 0 || end === undefined) return;
  const isLeft = [...own.nonces].some((nonce) => !own.released.has(nonce));
  judge.expect(
    'O4',
    !isLeft || own.isRefused || own.isForeign,
    `run ${run.id} took the lock and ended without releasing it`,
  );
}

function isOnLock(call: PortCall, lock: string): boolean {
  return call.name.startsWith('parameters.') && parameterIn(call).name === lock;
}

function noteCall(own: Own, call: PortCall): void {
  own.isRefused = !call.answered;
  if (!call.answered) return;
  if (call.name === 'parameters.listVersions') own.isForeign = isForeign(own, call.answer);
  const isWrite = call.name === 'parameters.overwrite' || call.name === 'parameters.create';
  if (!isWrite || (call.answer as { kind?: string }).kind === 'taken') return;
  const { entry, nonce, from } = readEntry(parameterIn(call).value) ?? {};
  if (entry === 'release') own.released.add(from);
  else own.nonces.add(nonce);
}

/** Returns whether the lock was deleted, recreated, overwritten by hand, or taken over. */
function isForeign({ nonces, released }: Own, answer: unknown): boolean {
  const mine = [...nonces].filter((nonce) => !released.has(nonce));
  if (mine.length === 0) return false;
  const versions = [...((answer ?? []) as { version: number; value: string }[])];
  const entries = versions
    .sort((one, other) => one.version - other.version)
    .map(({ value }) => readEntry(value));
  const at = entries.findIndex((entry) => mine.includes(entry?.nonce));
  // After a hundred newer entries, the run's own entry is no longer listed.
  if (at < 0) return versions.length === 0 || versions[0]?.version === 1;
  const later = entries.slice(at + 1);
  return later.some(
    (entry) =>
      entry === undefined ||
      (entry.entry === 'takeover' && entry.from !== undefined && mine.includes(entry.from)),
  );
}

function readEntry(text: string | undefined): Entry | undefined {
  try {
    return JSON.parse(text ?? '') as Entry;
  } catch {
    return undefined;
  }
}
