import { canonicalJson, digestOf } from '../digest.ts';
import type { PlannedBuild } from '../fingerprint/fingerprint.ts';
import type { PlanDocument, PlannedChange } from './plan.ts';

/** Longer image lists are replaced by their digest. */
const mostOfImages = 48;

/**
 * Summarizes the resources that a plan builds, to compare plans. It excludes values unknown before
 * the apply, secrets and tags, which often contain a pipeline number.
 */
export function plannedBuild({ changes }: PlanDocument): PlannedBuild {
  const built = changes.filter(({ isData, isDeposed, after }) => !isData && !isDeposed && after);
  const images = imagesOf(built);
  const isNewBuild = built.length > 0 && built.every(({ actions }) => actions.join() === 'create');
  return {
    ...(images === '' ? {} : { images }),
    ...(isNewBuild ? { plan: digestOf(canonicalJson(valuesOf(built))) } : {}),
  };
}

/**
 * Reads image ids under the AWS provider's names: `ami` of an instance, `image_id` of a launch
 * template.
 */
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

/** Removes secrets: `after_sensitive` is `true` in their place. */
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
