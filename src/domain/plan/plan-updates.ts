import { canonicalJson, digestOf } from '../digest.ts';
import { isNoChange, type PlanDocument, type PlannedChange } from './plan.ts';
import { withoutSecrets } from './plan-build.ts';
import { hasUnknown } from './plan-replace.ts';

/** Changes and replacements of a plan, to compare it with the previously applied plan. */
export interface PlannedUpdates {
  /** Digest over each changed attribute of each address, with its new value. */
  readonly digest: string;
  readonly addresses: readonly string[];
  /** Whether the plan contains nothing else. */
  readonly isAll: boolean;
}

/** Half a digest distinguishes two plans of one shard and keeps the record short. */
const digits = 8;

/**
 * Summarizes updates to find plans that repeat. Some configurations differ from AWS's response
 * after every apply: each plan then changes or replaces the same resource in the same way. Tags do
 * not count, because they often contain a pipeline number. Nor does the time of the plan:
 * `timestamp()` is known only to the apply, and `plantimestamp()` is replaced by a constant.
 * @returns undefined if plans cannot be compared: no change, a changed secret, or, in a plan that
 *   reads data, only values known after the apply, unless these values force a replacement
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

/**
 * Returns whether the configuration forces the replacement, rather than an operator or an
 * interrupted apply.
 */
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

/** Format of a plan's time in Terraform. */
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g;

const tags = new Set(['tags', 'tags_all']);

/** Returns the changed attributes. */
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
