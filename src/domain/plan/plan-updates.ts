import { canonicalJson, digestOf } from '../digest.ts';
import { isNoChange, type PlanDocument, type PlannedChange } from './plan.ts';
import { withoutSecrets } from './plan-build.ts';
import { hasUnknown } from './plan-replace.ts';

/** What a plan changes in place or replaces, to be compared with the plan that was applied before it. */
export interface PlannedUpdates {
  /** Of each address, each attribute that changes, and the value that it gets. */
  readonly digest: string;
  readonly addresses: readonly string[];
  /** Whether the plan does nothing else. */
  readonly isAll: boolean;
}

/** Half a digest tells two plans of one shard apart; the record is short. */
const digits = 8;

/**
 * Some configurations differ from what AWS returns after every apply, so each plan changes or replaces the
 * same resource in the same way. Tags do not count: a pipeline's number is often among them. The moment of
 * the plan is the same value, too: `timestamp()` is known to the apply alone, `plantimestamp()` is a time.
 * @returns undefined if it cannot be compared: no such change, a secret that changes, or, where the plan
 *   reads data, only values that the apply will know, unless these values make it replace the resource
 */
export function plannedUpdates({ changes, beyond }: PlanDocument): PlannedUpdates | undefined {
  const done = changes.filter((change) => !isNoChange(change) && !change.isData);
  const updated = done.filter((change) => change.actions.join() === 'update' || isReplaced(change));
  const contents = updated.map((change) => [change.address, contentOf(change)] as const);
  const attributes = contents.flatMap(([, content]) => Object.values(content));
  const replaced = updated.filter(isReplaced).map(({ address, replacePaths: by }) => [address, by]);
  if (attributes.some(({ isSecret }) => isSecret)) return undefined;
  if (updated.length === 0) return undefined;
  const readsData = changes.some((change) => change.isData && !isNoChange(change));
  const isKnown = attributes.some((one) => one.isKnown) || updated.some(isReplaced);
  if (readsData && !isKnown) return undefined;
  return {
    digest: digestOf(
      canonicalJson({
        ...Object.fromEntries(contents),
        ...(replaced.length === 0 ? {} : { replaced }),
      }),
    ).slice(0, digits),
    addresses: updated.map(({ address }) => address),
    isAll:
      beyond.length === 0 &&
      updated.length === done.length &&
      updated.every(({ isImport, previousAddress }) => !isImport && previousAddress === undefined),
  };
}

/** By its configuration. A person who replaces it, or an apply that left it half made, has a reason of its own. */
function isReplaced({ actions, replacePaths, isDeposed }: PlannedChange): boolean {
  const isBoth = actions.includes('create') && actions.includes('delete');
  return isBoth && replacePaths.length > 0 && !isDeposed;
}

interface Attribute {
  readonly value: string;
  readonly unknown: unknown;
  readonly isKnown: boolean;
  readonly isSecret: boolean;
}

/** As Terraform writes the time of a plan. */
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

const tags = new Set(['tags', 'tags_all']);

/** The attributes that change. */
function contentOf(change: PlannedChange): Readonly<Record<string, Attribute>> {
  const [before, after, unknown] = [change.before, change.after, change.afterUnknown].map(fieldsOf);
  const names = new Set([...Object.keys(after ?? {}), ...Object.keys(unknown ?? {})]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [was, willBe, open] = [before?.[name], after?.[name], unknown?.[name]];
      const isOpen = hasUnknown(open);
      if (tags.has(name) || (!isOpen && textOf(was) === textOf(willBe))) return [];
      const mark = change.afterSensitive === true || fieldsOf(change.afterSensitive)[name];
      const [shownBefore, shown] = [
        textOf(withoutSecrets(was, mark)),
        textOf(withoutSecrets(willBe, mark)),
      ] as const;
      const isSecret = !isOpen && shownBefore === shown;
      return [
        [
          name,
          {
            value: shown.replaceAll(time, 'time'),
            unknown: isOpen ? open : false,
            isKnown: !isOpen,
            isSecret,
          },
        ],
      ];
    }),
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return canonicalJson(value ?? null);
}
