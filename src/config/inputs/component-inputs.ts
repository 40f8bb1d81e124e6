import { parseJson } from '../../domain/text/json.ts';
import { show } from '../../domain/text/show.ts';
import { componentInputRefused, notStartedByHand } from '../../errors/component-errors.ts';
import type { Environment } from '../layers/overrides.ts';
import { checkedInputs } from './input-checks.ts';

/**
 * What the templates hand on for the program to check, because GitLab does not: inputs that may be
 * empty, and what stands in the rules. Asked before anything else of a pipeline's job.
 * @throws DeployError `ComponentInputRefused` with every problem, or `NotStartedByHand`
 */
export function refuseComponentInputs(environment: Environment, runner: string): void {
  if (environment['GITLAB_CI'] !== 'true') return;
  const isByHand = environment['HOSTED_RUNNER_BY_HAND'] === 'true';
  const problems = [
    ...checkedInputs.flatMap(({ name, variable, pattern, expected }) => {
      const value = environment[variable] ?? '';
      return value === '' || pattern.test(value)
        ? []
        : [`${name}: expected ${expected}, found ${show(value)}.`];
    }),
    ...judgeRules(environment['HOSTED_RUNNER_RULES'] ?? '', isByHand),
  ];
  if (problems.length > 0) throw componentInputRefused(problems);
  // Delayed jobs have it as well, but not without a rule that says so.
  if (isByHand && environment['CI_JOB_MANUAL'] !== 'true') throw notStartedByHand(runner);
}

/** What takes the place of the job's own keyword, with what each job's meaning stands and falls. */
const replaced = ['allow_failure', 'needs', 'interruptible'] as const;

/**
 * A rule's keywords replace those of each job. `when` would press the buttons; `allow_failure` and
 * `needs` would let shutdown begin after a provision that failed; `interruptible` lets a push end it.
 */
function judgeRules(text: string, isByHand: boolean): string[] {
  const rules = parseRules(text);
  // GitLab writes JSON. Of what another program makes of the template nothing can be said; a button
  // still asks whether somebody has pressed it.
  if (rules === 'no JSON') return [];
  if (rules === undefined) return [`rules: expected a list of rules, found ${show(text)}.`];
  return rules.flatMap((rule, index) => {
    const place = `rules: rule ${index + 1} has`;
    const { when } = rule;
    const harmless = when === undefined || when === 'never' || (isByHand && when === 'manual');
    return [
      ...(harmless
        ? []
        : [
            `${place} "when: ${String(when)}", in the place of each job's own; only never may stand there.`,
          ]),
      // A button that nobody needs may fail, be needed or be cancelled as its pipeline likes.
      ...(isByHand ? [] : replaced)
        .filter((keyword) => keyword in rule)
        .map((keyword) => `${place} "${keyword}", in the place of each job's own.`),
    ];
  });
}

/** Lists in the list come of `!reference`, and GitLab takes them as one. */
function parseRules(
  text: string,
): readonly Readonly<Record<string, unknown>>[] | undefined | 'no JSON' {
  const parsed = parseJson(text);
  if (parsed === undefined) return 'no JSON';
  if (!Array.isArray(parsed)) return undefined;
  return parsed.flat(10).filter((rule) => typeof rule === 'object' && rule !== null);
}
