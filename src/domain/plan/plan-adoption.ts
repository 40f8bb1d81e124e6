import type { TaggedKind, TaggedResource } from './aws-resource.ts';
import type { PlannedChange } from './plan.ts';
import type { PlanScope } from './plan-scope.ts';

/** Name that an apply found in use, and the id under which its resource would be imported. */
export interface TakenName {
  readonly address: string;
  readonly id: string;
}

/** Resource that is imported by an AWS id and found by its tags. */
export interface TakenThing {
  readonly address: string;
  readonly kind: TaggedKind;
  /** The Name tag. */
  readonly name: string;
}

export type Taken = TakenName | TakenThing;

/** Chooses the import id of each resource. A resource without a unique match is not imported. */
export function chooseImports(
  taken: readonly Taken[],
  found: readonly TaggedResource[],
): readonly TakenName[] {
  return taken.flatMap((one) => {
    if ('id' in one) return [one];
    const [only, another] = found.filter(
      ({ kind, name }) => kind === one.kind && name === one.name,
    );
    return only === undefined || another !== undefined
      ? []
      : [{ address: one.address, id: only.id }];
  });
}

/**
 * Returns why an import is refused; empty if it is allowed. Resources that a killed apply created
 * carry both tags, because the creating call sets them.
 */
export function judgeAdoption(request: {
  readonly change: PlannedChange;
  readonly adopt: readonly TakenName[];
  readonly scope: PlanScope;
}): string {
  const { change, adopt, scope } = request;
  if (!change.isImport) return '';
  const { address, importId } = change;
  if (!adopt.some((name) => name.address === address && name.id === importId)) {
    return 'it is imported';
  }
  const tags = tagsOf(change.before);
  const { stackTag, shardTag, runnerName, shard } = scope;
  if (tags[stackTag] !== runnerName || tags[shardTag] !== shard) {
    return `${importId} exists, but without exactly the tags ${stackTag}=${runnerName} and ${shardTag}=${shard}`;
  }
  const kept = change.actions.length === 1 && /^(?:no-op|update)$/.test(change.actions[0] ?? '');
  return kept ? '' : 'it would be adopted only to be rebuilt';
}

/** Reads tags from a map, or from a list of keys and values as in an Auto Scaling group. */
function tagsOf(value: unknown): Readonly<Record<string, unknown>> {
  const { tags, tag } = (value ?? {}) as { tags?: unknown; tag?: unknown };
  if (Array.isArray(tag)) {
    return Object.fromEntries(
      tag.map((one: { key?: unknown; value?: unknown }) => [String(one.key), one.value]),
    );
  }
  return typeof tags === 'object' && tags !== null ? (tags as Record<string, unknown>) : {};
}
