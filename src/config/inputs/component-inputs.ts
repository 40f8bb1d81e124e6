import { parseJson } from '../../domain/text/json.ts';
import { show } from '../../domain/text/show.ts';
import { componentInputRefused, notStartedByHand } from '../../errors/component-errors.ts';
import type { Environment } from '../layers/overrides.ts';
import { checkedInputs } from './input-checks.ts';

/**
 * Checks inputs that GitLab does not check: those that may be empty, and the rules. Runs before
 * anything else in a pipeline's job.
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
  // Delayed jobs have the variable too, but only with a rule that delays them.
  if (isByHand && environment['CI_JOB_MANUAL'] !== 'true') throw notStartedByHand(runner);
}

/** Keywords that would replace the job's own keyword and change the meaning of the job. */
const replaced = ['allow_failure', 'needs', 'interruptible'] as const;

/**
 * Refuses rules whose keywords replace those of each job. `when` would start the manual jobs.
 * `allow_failure` and `needs` would start shutdown after a failed provision. `interruptible` would
 * let a push end the job.
 */
function judgeRules(text: string, isByHand: boolean): string[] {
  const rules = parseRules(text);
  // GitLab writes JSON. A template in another program cannot be checked; a manual job still checks
  // that it was started by hand.
  if (rules === 'no JSON') return [];
  if (rules === undefined) return [`rules: expected a list of rules, found ${show(text)}.`];
  return judgeRuleList(rules, isByHand);
}

/** Lists the keywords that parsed rules may not have. */
export function judgeRuleList(
  rules: readonly Readonly<Record<string, unknown>>[],
  isByHand: boolean,
): string[] {
  return rules.flatMap((rule, index) => {
    const place = `rules: rule ${index + 1} has`;
    const { when } = rule;
    const harmless = when === undefined || when === 'never' || (isByHand && when === 'manual');
    return [
      ...(harmless
        ? []
        : [
            `${place} "when: ${String(when)}", which would replace the "when" of each job; only "never" is allowed.`,
          ]),
      // A manual job that no job needs may fail, be needed or be cancelled.
      ...(isByHand ? [] : replaced)
        .filter((keyword) => keyword in rule)
        .map(
          (keyword) => `${place} "${keyword}", which would replace the "${keyword}" of each job.`,
        ),
    ];
  });
}

/** Parses the rules. `!reference` creates nested lists, which GitLab flattens. */
function parseRules(
  text: string,
): readonly Readonly<Record<string, unknown>>[] | undefined | 'no JSON' {
  const parsed = parseJson(text);
  if (parsed === undefined) return 'no JSON';
  if (!Array.isArray(parsed)) return undefined;
  return parsed.flat(10).filter((rule) => typeof rule === 'object' && rule !== null);
}
