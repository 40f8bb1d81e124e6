import { shardEntry } from '../deployment/record.ts';
import type { Shard } from '../shard.ts';
import { formatAccepting } from './signs/start-signs.ts';
import { answerOf } from './stack-facts.ts';
import type { StackView } from './view.ts';

/** Two sources that report different facts, each with its value. */
export interface Contradiction {
  readonly about: string;
  readonly says: readonly { readonly who: string; readonly what: string }[];
}

export function findContradictions(view: StackView): readonly Contradiction[] {
  return [...aboutActive(view), ...view.states.flatMap(({ shard }) => aboutShard(view, shard))];
}

/**
 * Compares the sources that name an active shard. A source without a value contradicts nothing.
 */
function aboutActive(view: StackView): readonly Contradiction[] {
  const { active, expected, accepting, facts, states } = view;
  // A registry that could not be read contradicts nothing.
  if (states.some(({ registered }) => registered === 'unknown')) return [];
  const recorded = expected === 'either' ? undefined : expected;
  const named = [active, recorded].filter((one) => one !== undefined);
  const isSame = named.every((one) => one === named[0]);
  const isConfirmed = accepting.length === 0 || named.every((one) => isAmong(accepting, one));
  // Before its first promotion, a stack has no active shard.
  const isFirst = active === undefined && recorded === 'none';
  if (isFirst || (isSame && isConfirmed)) return [];
  return [
    {
      about: 'which shard is active',
      says: [
        ...(active === undefined ? [] : [{ who: 'deployment_status', what: active }]),
        ...(recorded === undefined ? [] : [{ who: 'deployment_record', what: recorded }]),
        ...(accepting.length === 0
          ? []
          : [{ who: facts.words.registry, what: formatAccepting(view) }]),
      ],
    },
  ];
}

function isAmong(accepting: readonly Shard[], named: Shard | 'none'): boolean {
  return accepting.some((shard) => shard === named);
}

/** A deployment removes the shard now, so parts of it are missing as expected. */
function isBeingRemoved({ record }: StackView, shard: Shard): boolean {
  const { phase, candidate, retiring } = record?.deployment ?? {};
  if (phase === 'retreating') return candidate === shard;
  return phase === 'destroying' && retiring === shard;
}

/** Both shards accept jobs from the promotion until the drain pauses the old one. */
function isWronglyAccepting({ record, accepting }: StackView, shard: Shard): boolean {
  const { phase } = record?.deployment ?? {};
  return accepting.includes(shard) && phase !== 'promoting' && phase !== 'promoted';
}

function formatService({ state }: StackView, shard: Shard): string {
  return state(shard).service.kind === 'proven' ? 'accepts jobs' : 'may accept jobs';
}

function aboutShard(view: StackView, shard: Shard): readonly Contradiction[] {
  const found: Contradiction[] = [];
  const report = (about: string, one: [string, string], two: [string, string]) =>
    found.push({
      about: `${shard}: ${about}`,
      says: [one, two].map(([who, what]) => ({ who, what })),
    });
  const { registered, registrationGone, machines, built, running } = view.state(shard);
  const { registration } = shardEntry(view.record, shard);
  const { words } = view.facts;
  if (!isBeingRemoved(view, shard) && registrationGone)
    report(
      `its ${words.registration}`,
      ['deployment_record', `${words.registration} ${registration}`],
      [words.registry, 'none'],
    );
  if (machines !== 'unknown' && built !== 'unknown') {
    if (machines.length > 0 && built === 'absent')
      report('its machines', ['infrastructure', 'nothing is built'], ['AWS', machines.join(', ')]);
    const isPartly = isBeingRemoved(view, shard) || view.record?.deployment.phase === 'applying';
    if (machines.length === 0 && built === 'present' && registration !== undefined && !isPartly)
      report('its machines', ['infrastructure', 'built'], ['AWS', 'no machine']);
  }
  if (view.active !== undefined && view.active !== shard && isWronglyAccepting(view, shard))
    report(
      'its role',
      ['deployment_status', 'inactive'],
      [words.registry, formatService(view, shard)],
    );
  const hasNoJobs =
    registered !== 'unknown' && registered.every(({ jobs }) => answerOf(jobs)?.length === 0);
  const hostJobs = (answerOf(view.of(shard).hosts) ?? []).flatMap((host) =>
    host.jobs === 'unknown' ? [] : host.jobs,
  );
  if (running.length > 0 && hasNoJobs && hostJobs.length > 0)
    report(
      'its jobs',
      [words.registry, 'none visible to this token'],
      ['host', `${hostJobs.length}`],
    );
  return found;
}
