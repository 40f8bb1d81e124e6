import { DeployError } from './deploy-error.ts';
import { capital } from './state.ts';

/** Errors of `doctor` and `recover`. One function a code. */

export function nothingToFix(
  runner: string,
  found: { readonly title: string; readonly commands: readonly string[] } | undefined,
): DeployError {
  const commands = (found?.commands ?? []).filter((command) => !command.includes('doctor'));
  return new DeployError({
    code: 'NothingToFix',
    exitCode: 3,
    what: `Nothing of ${runner} can be repaired without a decision; nothing was touched.`,
    why: found === undefined ? [] : [`${capital(found.title)}.`],
    fix: [...commands.slice(0, 2), `Look at everything: hosted-runner doctor --runner ${runner}`],
  });
}

export function cannotRecover(facts: {
  runner: string;
  method: string;
  reason: string;
  next: readonly string[];
  /** A job on the shard: nothing but its end makes a way. */
  waitsFor?: string | undefined;
}): DeployError {
  return new DeployError({
    code: 'CannotRecover',
    exitCode: 1,
    what: `Method ${facts.method} cannot recover ${facts.runner}; nothing was touched.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      ...whenEnded(facts),
      ...facts.next.slice(0, 2 - whenEnded(facts).length),
      `Look at everything: hosted-runner doctor --runner ${facts.runner}`,
    ],
  });
}

/** What ends by itself, or by whoever it belongs to, is waited for. */
function whenEnded(facts: { runner: string; method?: string; waitsFor?: string | undefined }) {
  const { runner, method = 'auto', waitsFor } = facts;
  if (waitsFor === undefined) return [];
  const again = `hosted-runner recover --runner ${runner} --method ${method} --yes`;
  return [`When ${waitsFor} has ended: ${again}`];
}

export function noRungLeft(facts: {
  runner: string;
  reasons: readonly string[];
  waitsFor?: string | undefined;
}): DeployError {
  return new DeployError({
    code: 'NoRungLeft',
    exitCode: 3,
    what: `No method of recover can help ${facts.runner} now; nothing was touched.`,
    why: facts.reasons.map((reason) => `${capital(reason)}.`),
    fix: [...whenEnded(facts), `Look at everything: hosted-runner doctor --runner ${facts.runner}`],
  });
}
