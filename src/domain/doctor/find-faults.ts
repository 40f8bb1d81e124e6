import { inTerms } from '../registry-terms.ts';
import type { CommandToType } from '../text/line-to-type.ts';
import { shellArgument } from '../text/shell-quoting.ts';
import { type FindingCode, findingCodes, findingEntries } from './catalogue.ts';
import type { Repair, Sign } from './finding.ts';
import { candidateSigns } from './signs/candidate-signs.ts';
import { leftoverSigns } from './signs/leftover-signs.ts';
import { retirementSigns } from './signs/retirement-signs.ts';
import { startSigns } from './signs/start-signs.ts';
import { stateSigns } from './signs/state-signs.ts';
import type { StackFacts } from './stack-facts.ts';
import { viewOf } from './view.ts';

export interface Finding {
  readonly code: FindingCode;
  readonly title: string;
  /** The values that it was read from, each with who says so. */
  readonly seen: string;
  readonly because: string;
  readonly commands: readonly CommandToType[];
  readonly byHand?: string;
  readonly repair?: Repair;
}

const signs = {
  ...stateSigns,
  ...startSigns,
  ...candidateSigns,
  ...retirementSigns,
  ...leftoverSigns,
};

/** Signs of these do not keep what stands behind them from being true. */
const besides = [
  'held',
  'lock_stale',
  'runner_missing',
  'clock_off',
  'runner_token_ends',
  'version_ends',
  'leftovers',
];

/** Codes of a run that is or may be under way. */
const runs = ['lock_alive', 'lock_unproven', 'deployment_running'];

/** The cause of a run's wait, which its end alone does not mend. */
const causesOfWait = ['drain_waits'];

/**
 * What the facts speak for, in the order in which it is mended. Where a source is silent or
 * something cannot be read, nothing is concluded from what is missing.
 */
export function findFaults(facts: StackFacts): readonly Finding[] {
  const view = viewOf(facts);
  const found: Finding[] = [];
  for (const code of findingCodes) {
    if (code === 'healthy' && found.length > 0) break;
    const sign = signs[code](view);
    if (sign === undefined) continue;
    const isWaitOfRun = causesOfWait.includes(code) && found.some((one) => runs.includes(one.code));
    const quiet = isWaitOfRun ? [...besides, ...runs] : besides;
    const isHidden = found.some((one) => !quiet.includes(one.code));
    if (isHidden && !besides.includes(code)) continue;
    // The run that waits goes on by itself: no second one is to be typed.
    found.push(findingOf(code, isWaitOfRun ? { ...sign, commands: [] } : sign, facts));
  }
  return found;
}

function findingOf(code: Finding['code'], sign: Sign, { settings, words }: StackFacts): Finding {
  const { fixes, commands: usual } = findingEntries[code];
  const { title, because } = { ...findingEntries[code], ...sign };
  // Without a plan there is nothing that `doctor --fix` could carry out, and it would name itself again.
  const commands = fixes !== undefined && sign.repair === undefined ? [] : usual;
  const { byHand = findingEntries[code].byHand } = sign;
  const named = { runner: settings.runnerName, shard: sign.shard ?? '?', id: sign.id ?? '?' };
  const fill = (text: string) => inTerms(text, words, named);
  const asWords = { ...named, shard: shellArgument(named.shard), id: shellArgument(named.id) };
  const fillWords = (text: string) => inTerms(text, words, asWords);
  return {
    code,
    title: fill(title),
    seen: sign.seen,
    because: fill(because),
    commands: (sign.commands ?? commands).map(({ more, ...command }) => ({
      ...command,
      runner: settings.runnerName,
      ...(more === undefined ? {} : { more: fillWords(more) }),
    })),
    ...(byHand === undefined ? {} : { byHand: fill(byHand) }),
    ...(sign.repair === undefined ? {} : { repair: sign.repair }),
  };
}
