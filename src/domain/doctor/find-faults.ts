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
  /** Observed values, each with its source. */
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

/** Findings that do not hide the findings after them. */
const besides = [
  'held',
  'lock_stale',
  'runner_missing',
  'clock_off',
  'runner_token_ends',
  'version_ends',
  'leftovers',
];

/** Findings of a run that is or may be active. */
const runs = ['lock_alive', 'lock_unproven', 'deployment_running'];

/** Findings that explain why a run waits, and that the end of the run alone does not fix. */
const causesOfWait = ['drain_waits'];

/**
 * Lists the findings in the order of repair. A missing response or an unreadable value leads to no
 * conclusion about missing things.
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
    // The waiting run continues by itself: a second one would not help.
    found.push(findingOf(code, isWaitOfRun ? { ...sign, commands: [] } : sign, facts));
  }
  return found;
}

function findingOf(code: Finding['code'], sign: Sign, { settings, words }: StackFacts): Finding {
  const { fixes, commands: usual } = findingEntries[code];
  const { title, because } = { ...findingEntries[code], ...sign };
  // Without a plan, `doctor --fix` has nothing to do and would only recommend itself.
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
