import type { CanaryJob } from '../../domain/health/canary-job.ts';
import type { RegistrationId, Shard } from '../../domain/shard.ts';
import { isDeployError } from '../../errors/deploy-error.ts';
import { lineOf } from '../../errors/fix-line.ts';
import { endsRun, isPassing, isPortFailure } from '../../ports/failure.ts';
import { type StageContext, wordsOf } from '../context/context.ts';
import { ensure, untilAccepted } from '../effects/effect-gate.ts';
import { readRegistration } from '../effects/routing.ts';

/** Reason for a missing canary; `passing`: a later attempt may succeed. */
export interface NoCanary {
  readonly reason: string;
  readonly passing: boolean;
}

/**
 * Runs `ask` while a shard that accepts jobs has the canary's tag, and always removes the tag
 * afterwards. All other tags stay as found, because operators may change them meanwhile. A failure
 * before `ask` is passed to `none`.
 */
export async function withCanaryTag<Told>(
  context: StageContext,
  {
    shard,
    id,
    called,
  }: { readonly shard: Shard; readonly id: RegistrationId; readonly called: 'the canary' | 'it' },
  { run, none }: { readonly run: () => Promise<Told>; readonly none: (why: NoCanary) => Told },
): Promise<Told> {
  const { log, ports } = context;
  try {
    await ensureCanaryTag(context, { shard, id, isThere: true });
    return await run();
  } catch (error) {
    // Under a hold, a running drain or bake continues but begins nothing new.
    if (isDeployError(error) && error.code === 'Held')
      return none({ reason: 'the stack is on hold, so nothing new is started', passing: false });
    if (!isPortFailure(error) || endsRun(error)) throw error;
    const press = error.kind === 'denied' ? `; ${ports.canary.byHand}` : '';
    const reason = `${called} could not be queried: ${error.message}${press}`;
    return none({ reason, passing: isPassing(error) });
  } finally {
    await ensureCanaryTag(context, { shard, id, isThere: false }).catch((error: unknown) => {
      if (!isPortFailure(error) && !isDeployError(error)) throw error;
      log.warn(warnOfRemainder(context, { shard, reason: error.message }));
    });
  }
}

/**
 * Adds or removes the canary's tag. A registry accepts only whole lists, so the tags are read right
 * before each write.
 */
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

/** Warns of a leftover tag, which the last step of the deployment removes in any run. */
function warnOfRemainder(
  context: StageContext,
  { shard, reason }: { readonly shard: Shard; readonly reason: string },
): string {
  const { settings, typed } = context;
  const text = `The canary's ${wordsOf(context).tag} is still on the runner of ${shard}: ${reason.replace(/\.$/, '')}. To finish the deployment, which removes the ${wordsOf(context).tag}`;
  return lineOf({ text, command: 'finalize', runner: settings.runnerName }, typed);
}

/** Starts a canary, or adopts one that has not ended: GitLab refuses a second one. */
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
