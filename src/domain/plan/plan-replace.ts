import type { PlannedChange } from './plan.ts';
import type { PlanRefusal } from './plan-guard.ts';

export interface JudgedReplacement {
  readonly refusals: readonly PlanRefusal[];
  /** What is built anew as well, because it stands on what was named and cannot follow it in place. */
  readonly dependents: readonly string[];
}

/**
 * Why a plan is not the replacement that was asked for: every named address is built anew exactly
 * once, and nothing else is replaced but what its replacement forces. What is gone already is only
 * created. That everything is the shard's own the plan guard has judged before.
 */
export function judgeReplacement(
  changes: readonly PlannedChange[],
  named: readonly string[],
): JudgedReplacement {
  if (named.length === 0) return { refusals: [], dependents: [] };
  const managed = changes.filter(({ isData, isDeposed }) => !isData && !isDeposed);
  const missing = named.flatMap((address) => {
    const reason = judgeNamed(managed, address);
    return reason === '' ? [] : [{ address, actions: '', reason }];
  });
  const others = managed.filter(
    ({ address, actions }) => isReplaced(actions) && !named.includes(address),
  );
  const refused = others
    .filter((change) => !isForced(change))
    .map(({ address, actions }) => ({
      address,
      actions: actions.join(', '),
      reason:
        'it would be replaced as well, for a reason of its own: name it by --address, too, or let provision bring it up to date',
    }));
  return {
    refusals: [...missing, ...refused],
    dependents: others.filter(isForced).map(({ address }) => address),
  };
}

function isReplaced(actions: readonly string[]): boolean {
  return actions.includes('create') && actions.includes('delete');
}

/**
 * Whether nothing but what this very plan builds makes it go: every value that cannot be changed in
 * place is one that only the apply will know, and the rest of that value is as it was.
 */
function isForced({ replacePaths, before, after, afterUnknown }: PlannedChange): boolean {
  return (
    replacePaths.length > 0 &&
    replacePaths.every((path) => {
      const [was, willBe, unknown] = [before, after, afterUnknown].map((root) => at(root, path));
      return hasUnknown(unknown) && isKept({ was, willBe, unknown });
    })
  );
}

function at(root: unknown, path: readonly (string | number)[]): unknown {
  let value = root;
  for (const step of path) {
    // A whole object that is unknown is `true`, and everything in it is unknown with it.
    if (value === true || typeof value !== 'object' || value === null) break;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

export function hasUnknown(unknown: unknown): boolean {
  return (
    unknown === true ||
    (typeof unknown === 'object' && unknown !== null && Object.values(unknown).some(hasUnknown))
  );
}

/** Whether every part that is known already is as it was. */
function isKept({ was, willBe, unknown }: Record<'was' | 'willBe' | 'unknown', unknown>): boolean {
  if (unknown === true) return true;
  if (!isObject(was) || !isObject(willBe)) return was === willBe;
  const keys = new Set([...Object.keys(was), ...Object.keys(willBe)]);
  return [...keys].every((key) =>
    isKept({
      was: was[key],
      willBe: willBe[key],
      unknown: isObject(unknown) ? unknown[key] : undefined,
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function judgeNamed(managed: readonly PlannedChange[], address: string): string {
  const built = managed.filter(
    (change) => change.address === address && change.actions.includes('create'),
  );
  if (built.length === 1) return '';
  // Terraform only warns of an address without its index, and replaces nothing.
  const meant = managed.filter((change) => change.address.startsWith(`${address}[`));
  const names = meant.map((change) => change.address).join(', ');
  if (meant.length > 0) return `it names no single resource; there is ${names}`;
  return built.length === 0
    ? 'nothing of this address would be built again'
    : `${built.length} resources have this address`;
}
