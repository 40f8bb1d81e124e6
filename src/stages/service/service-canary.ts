import type { CanaryJob } from '../../domain/health/canary-job.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import { lineOf } from '../../errors/fix-line.ts';
import { endsRun, isPassing, isPortFailure } from '../../ports/failure.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { ensure, untilAccepted } from '../effects/effect-gate.ts';
import { readRegistration } from '../effects/routing.ts';

/** Why no canary was had; `passing`: whoever asks again may get one. */
export interface NoCanary {
  readonly reason: string;
  readonly passing: boolean;
}

/**
 * A canary on a shard that serves: its tag is there for as long as `ask` takes, and is taken away again,
 * whatever comes; every other tag stays as it is found, as people may change them meanwhile. What keeps it from being asked is told to `none`.
 */
export async function withCanaryTag<Told>(
  context: StageContext,
  {
    shard,
    id,
    called,
  }: { readonly shard: Shard; readonly id: RegistrationId; readonly called: 'the canary' | 'it' },
  { ask, none }: { readonly ask: () => Promise<Told>; readonly none: (why: NoCanary) => Told },
): Promise<Told> {
  const { log, ports } = context;
  try {
    await ensureCanaryTag(context, { shard, id, isThere: true });
    return await ask();
  } catch (error) {
    // A drain or a bake that runs goes on under a hold, and begins nothing.
    if (isDeployError(error) && error.code === 'Held')
      return none({ reason: 'nothing is begun while the stack is held', passing: false });
    if (!isPortFailure(error) || endsRun(error)) throw error;
    const press = error.kind === 'denied' ? `; ${ports.canary.byHand}` : '';
    const reason = `${called} could not be asked: ${error.message}${press}`;
    return none({ reason, passing: isPassing(error) });
  } finally {
    await ensureCanaryTag(context, { shard, id, isThere: false }).catch((error: unknown) => {
      if (!isPortFailure(error) && !isDeployError(error)) throw error;
      log.warn(warnOfRemainder(context, { shard, reason: error.message }));
    });
  }
}

/** A registry takes whole lists of tags alone, so that they are read anew right before each is written. */
async function ensureCanaryTag(
  context: StageContext,
  {
    shard,
    id,
    isThere,
  }: { readonly shard: Shard; readonly id: RegistrationId; readonly isThere: boolean },
): Promise<void> {
  const { canary, registry } = context.ports;
  const what = `the canary's ${canary.tag}`;
  const registration = `${wordsOf(context).registration} ${id}`;
  await ensure(context, {
    what: isThere ? `Gave ${registration} ${what}` : `Took ${what} from ${registration}`,
    shard,
    isDone: async () => (await readRegistration(context, id)).tags.includes(canary.tag) === isThere,
    act: async () => {
      const { tags, runUntagged } = await readRegistration(context, id);
      const others = tags.filter((tag) => tag !== canary.tag);
      await registry.route(id, { tags: isThere ? [...others, canary.tag] : others, runUntagged });
    },
  });
}

/** The last step of a deployment takes it off, in whichever run. */
function warnOfRemainder(
  context: StageContext,
  { shard, reason }: { readonly shard: Shard; readonly reason: string },
): string {
  const { settings, typed } = context;
  const say = `The canary's ${wordsOf(context).tag} is left on ${shard}: ${reason.replace(/\.$/, '')}. To finish, which takes it off`;
  return lineOf({ say, command: 'finalize', runner: settings.runnerName }, typed);
}

/** One that a run before this one has begun, and that has not ended, is not begun anew: GitLab refuses that. */
export async function beginOrFindCanary(
  context: StageContext,
): Promise<{ readonly job: CanaryJob; readonly isAdopted: boolean }> {
  const { canary } = context.ports;
  const newest = await canary.findNewest();
  const isAlive = newest?.status === 'waiting' || newest?.status === 'running';
  return isAlive
    ? { job: newest, isAdopted: true }
    : { job: await untilAccepted(context, () => canary.start()), isAdopted: false };
}
