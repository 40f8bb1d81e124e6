import type { PlannedChange } from './plan.ts';
import type { PlanRefusal } from './plan-guard.ts';

export interface ReplacementVerdict {
  readonly refusals: readonly PlanRefusal[];
  /**
   * Resources that are replaced too, because they depend on a named one and cannot be changed in
   * place.
   */
  readonly dependents: readonly string[];
}

/**
 * Checks that a plan is the requested replacement: it rebuilds every named address exactly once,
 * and replaces others only if that forces it. A missing resource is only created. The plan guard
 * has already checked that all resources belong to the shard.
 */
export function judgeReplacement(
  changes: readonly PlannedChange[],
  named: readonly string[],
): ReplacementVerdict {
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
        'it would also be replaced, for another reason: name it with --address too, or let provision update it',
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
 * Returns whether only other resources of this plan force the replacement: each value that cannot
 * change in place is known only after the apply, and its known parts are unchanged.
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
    // An unknown object is `true`, which includes everything in it.
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

/** Returns whether every known part is unchanged. */
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
  // Terraform only warns about an address without its index, and replaces nothing.
  const meant = managed.filter((change) => change.address.startsWith(`${address}[`));
  const names = meant.map((change) => change.address).join(', ');
  if (meant.length > 0) return `it names no single resource; available: ${names}`;
  return built.length === 0
    ? 'no resource with this address would be rebuilt'
    : `${built.length} resources have this address`;
}
