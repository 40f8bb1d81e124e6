import { canonicalJson, digestOf } from '../digest.ts';
import { isIdle, type PlanDocument, type PlannedChange } from './plan.ts';
import { withoutSecrets } from './planned-build.ts';

/** What a plan changes in place, to be compared with the plan that was applied before it. */
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
 * Some configurations differ from what AWS returns after every apply, so that each plan changes the same
 * resource to the same value. Tags do not count: a pipeline's number is often among them.
 * @returns undefined if it cannot be compared: no change in place, a secret that changes, or only values
 *   that the apply will know
 */
export function plannedUpdates({ changes, beyond }: PlanDocument): PlannedUpdates | undefined {
  const done = changes.filter((change) => !isIdle(change) && !change.isData);
  const updated = done.filter(({ actions }) => actions.join() === 'update');
  const contents = updated.map((change) => [change.address, contentOf(change)] as const);
  const attributes = contents.flatMap(([, content]) => Object.values(content));
  if (attributes.some(({ isSecret }) => isSecret)) return undefined;
  if (!attributes.some(({ isKnown }) => isKnown)) return undefined;
  return {
    digest: digestOf(canonicalJson(Object.fromEntries(contents))).slice(0, digits),
    addresses: updated.map(({ address }) => address),
    isAll:
      beyond.length === 0 &&
      updated.length === done.length &&
      updated.every(({ isImport, previousAddress }) => !isImport && previousAddress === undefined),
  };
}

interface Attribute {
  readonly value: string | undefined;
  readonly unknown: unknown;
  readonly isKnown: boolean;
  readonly isSecret: boolean;
}

const tags = new Set(['tags', 'tags_all']);

/** The attributes that change. */
function contentOf(change: PlannedChange): Readonly<Record<string, Attribute>> {
  const [before, after, unknown] = [change.before, change.after, change.afterUnknown].map(fieldsOf);
  const names = new Set([...Object.keys(after ?? {}), ...Object.keys(unknown ?? {})]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [was, willBe, open] = [before?.[name], after?.[name], unknown?.[name]];
      const isOpen = hasMark(open);
      if (tags.has(name) || (!isOpen && textOf(was) === textOf(willBe))) return [];
      const mark = change.afterSensitive === true || fieldsOf(change.afterSensitive)[name];
      const [shownBefore, shown] = [was, willBe].map((one) => textOf(withoutSecrets(one, mark)));
      const isSecret = !isOpen && shownBefore === shown;
      return [[name, { value: shown, unknown: isOpen ? open : false, isKnown: !isOpen, isSecret }]];
    }),
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return canonicalJson(value ?? null);
}

function hasMark(value: unknown): boolean {
  return (
    value === true ||
    (typeof value === 'object' && value !== null && Object.values(value).some(hasMark))
  );
}
