import type { PlannedChange } from './plan.ts';
import type { PlanRefusal } from './plan-guard.ts';

/**
 * Why a plan is not the replacement that was asked for: every named address is built anew exactly
 * once, and nothing else is replaced. What is gone already is only created.
 */
export function judgeReplacement(
  changes: readonly PlannedChange[],
  named: readonly string[],
): readonly PlanRefusal[] {
  if (named.length === 0) return [];
  const managed = changes.filter(({ isData, isDeposed }) => !isData && !isDeposed);
  const missing = named.flatMap((address) => {
    const reason = judgeNamed(managed, address);
    return reason === '' ? [] : [{ address, actions: '', reason }];
  });
  const others = managed
    .filter(({ address, actions }) => isReplaced(actions) && !named.includes(address))
    .map(({ address, actions }) => ({
      address,
      actions: actions.join(', '),
      reason: 'it would be replaced as well, and was not named',
    }));
  return [...missing, ...others];
}

function isReplaced(actions: readonly string[]): boolean {
  return actions.includes('create') && actions.includes('delete');
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
