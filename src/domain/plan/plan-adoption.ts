import type { TaggedKind, TaggedResource } from './aws-resource.ts';
import type { PlannedChange } from './plan.ts';
import type { PlanScope } from './plan-scope.ts';

/** A name that an apply has found taken, and as what its bearer would come into the state. */
export interface TakenName {
  readonly address: string;
  readonly id: string;
}

/** What has it is imported by an id of AWS's own, and is found by its tags. */
export interface TakenThing {
  readonly address: string;
  readonly kind: TaggedKind;
  /** Its Name tag. */
  readonly name: string;
}

export type Taken = TakenName | TakenThing;

/** What each is imported as, where what was found tells it; the rest stays as taken as it is. */
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
 * Why an import is none of ours; empty where it is. What a killed apply has made and lost carries
 * both tags, because they are given in the very call that makes it.
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
    return `${importId} exists, and without exactly the tags ${stackTag}=${runnerName} and ${shardTag}=${shard}`;
  }
  const kept = change.actions.length === 1 && /^(?:no-op|update)$/.test(change.actions[0] ?? '');
  return kept ? '' : 'it would be adopted only to be built anew';
}

/** A map, or, as an Auto Scaling group has them, a list of keys and values. */
function tagsOf(value: unknown): Readonly<Record<string, unknown>> {
  const { tags, tag } = (value ?? {}) as { tags?: unknown; tag?: unknown };
  if (Array.isArray(tag)) {
    return Object.fromEntries(
      tag.map((one: { key?: unknown; value?: unknown }) => [String(one.key), one.value]),
    );
  }
  return typeof tags === 'object' && tags !== null ? (tags as Record<string, unknown>) : {};
}
