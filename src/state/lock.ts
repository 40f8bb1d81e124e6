import { judgeLock, type Lock } from '../domain/lock.ts';
import { pipelineOf } from '../domain/owner.ts';
import { lockHeld, lockInvalid } from '../errors/state.ts';
import { isPortFailure } from '../ports/failure.ts';
import type { Run } from '../ports/host.ts';
import type { Log } from '../ports/log.ts';
import { lookUntil, notYet, seen } from '../ports/look-until.ts';
import type { Parameter } from '../ports/parameters.ts';
import type { Ports } from '../ports/ports.ts';
import { nameCadence, nameHeld } from './create-parameter.ts';
import { type ReleasePorts, releaseLock } from './lock-release.ts';
import { parseLock } from './lock-text.ts';
import { findForeign } from './versioned.ts';

/** AWS asks to wait 30 s between deleting a name and creating it again. */
const nameFreeAfterMs = 40_000;
const atOnce = { kind: 'due', inMs: 0 } as const;

export interface LockRequest {
  readonly ports: Pick<Ports, 'parameters' | 'clock' | 'random' | 'pipelines' | 'processes'>;
  readonly parameter: string;
  readonly runner: string;
  readonly stage: string;
  readonly run: Run;
  readonly byHand: boolean;
  readonly log: Log;
}

/**
 * Takes the lock for this run of this stage, or rejects with exit code 75. Returns its release,
 * which is handed ports of its own: it has to work also after a cancel, which ends all else.
 */
export async function takeLock(
  request: LockRequest,
): Promise<(ports: ReleasePorts) => Promise<void>> {
  const { ports, parameter, run, log } = request;
  const nonce = ports.random.id();
  const lock: Lock = {
    deployment: run.deploymentId,
    job: run.jobId,
    since: new Date(ports.clock.now()).toISOString(),
    process: ports.processes.self,
    nonce,
  };
  const value = JSON.stringify(lock);
  const startedAt = ports.clock.elapsed();
  await lookUntil({ clock: ports.clock, cadence: nameCadence }, async (looks) => {
    if (await createOwn(request, value, nonce)) return seen(true);
    const found = await ports.parameters.find(parameter);
    // The request that created it has arrived twice, and the second one was told that it is taken.
    if (parseLock(found)?.nonce === nonce) return seen(true);
    if (found !== undefined) {
      // Somebody else's that went away meanwhile: its name is tried at once.
      return (await takeOver(request, found, value)) ? seen(true) : notYet(atOnce);
    }
    if (ports.clock.elapsed() - startedAt > nameFreeAfterMs)
      throw lockHeld({ ...request, reason: 'nobody that can be read; its name cannot be created' });
    log.wait(nameHeld('the last lock'));
    return notYet({ kind: 'fresh', looks });
  });
  return (own) => releaseLock({ ...request, ports: own }, nonce);
}

async function createOwn(
  { ports, parameter }: LockRequest,
  value: string,
  nonce: string,
): Promise<boolean> {
  try {
    return (await ports.parameters.create({ name: parameter, value })).kind === 'created';
  } catch (error) {
    if (!isPortFailure(error) || error.effect === 'none') throw error;
    return parseLock(await ports.parameters.find(parameter))?.nonce === nonce;
  }
}

async function takeOver(request: LockRequest, found: Parameter, value: string): Promise<boolean> {
  const { ports, parameter, run, byHand, log, runner, stage } = request;
  const lock = parseLock(found);
  if (lock === undefined && !byHand) throw lockInvalid({ runner, parameter, stage });
  if (lock !== undefined) {
    const process = ports.processes.isAlive(lock.process);
    const facts = { lock, run, process, byHand };
    const holder =
      process === 'unknown' && !byHand
        ? await ports.pipelines.readLockHolder({
            deploymentId: pipelineOf(lock.deployment),
            jobId: lock.job,
          })
        : undefined;
    const judgement = judgeLock({ ...facts, ...(holder === undefined ? {} : { holder }) });
    if (judgement.kind === 'held') throw lockHeld({ runner, stage, reason: judgement.reason });
    log.act(`Took over the lock of ${judgement.reason}.`);
  }
  // Overwritten and not deleted, so that two who take over see each other by the version.
  const { version } = await ports.parameters.overwrite({ name: parameter, value });
  const written = { name: parameter, since: found.version, until: version, ours: [value] };
  if (version > found.version && (await findForeign(ports.parameters, written)) === undefined)
    return true;
  throw lockHeld({ runner, stage, reason: 'another stage that took it over at the same moment' });
}
