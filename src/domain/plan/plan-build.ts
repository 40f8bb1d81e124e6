import { canonicalJson, digestOf } from '../digest.ts';
import type { PlannedBuild } from '../fingerprint/fingerprint.ts';
import type { PlanDocument, PlannedChange } from './plan.ts';

/** A list longer than this is told by its digest. */
const mostOfImages = 48;

/**
 * What a plan builds, to be compared with another plan. Values that are not known before the apply are
 * no part of it, secret ones neither, and no tags: a pipeline's number is often among those.
 */
export function plannedBuild({ changes }: PlanDocument): PlannedBuild {
  const built = changes.filter(({ isData, isDeposed, after }) => !isData && !isDeposed && after);
  const images = imagesOf(built);
  const isAnew = built.length > 0 && built.every(({ actions }) => actions.join() === 'create');
  return {
    ...(images === '' ? {} : { images }),
    ...(isAnew ? { plan: digestOf(canonicalJson(valuesOf(built))) } : {}),
  };
}

/** By the names that AWS's provider has for them: `ami` of an instance, `image_id` of a launch template. */
function imagesOf(built: readonly PlannedChange[]): string {
  const ids = built.flatMap((change) => {
    const { ami, image_id: template } = known(change);
    return [ami, template].filter((id): id is string => typeof id === 'string' && id !== '');
  });
  const text = [...new Set(ids)].sort().join(',');
  return text.length > mostOfImages ? digestOf(text) : text;
}

function valuesOf(built: readonly PlannedChange[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    built.map((change) => {
      const { tags: _, tags_all: __, ...values } = known(change);
      return [change.address, values];
    }),
  );
}

function known({ after, afterSensitive }: PlannedChange): Readonly<Record<string, unknown>> {
  return (withoutSecrets(after, afterSensitive) ?? {}) as Readonly<Record<string, unknown>>;
}

/** `after_sensitive` has `true` where the value has a secret. */
export function withoutSecrets(value: unknown, mark: unknown): unknown {
  if (mark === true) return undefined;
  if (typeof value !== 'object' || value === null || typeof mark !== 'object' || mark === null)
    return value;
  const marks = mark as Readonly<Record<string, unknown>>;
  if (Array.isArray(value)) return value.map((inner, index) => withoutSecrets(inner, marks[index]));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutSecrets(inner, marks[name])]),
  );
}
