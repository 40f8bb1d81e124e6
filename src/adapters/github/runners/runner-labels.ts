import { PortFailure } from '../../../ports/failure.ts';
import type { GitHubRunner } from './runners.ts';

export function labelsOf({ labels }: GitHubRunner): readonly string[] {
  return labels.map(({ name }) => name);
}

/** Returns the labels that all runners have. */
export function sharedLabels([
  first,
  ...others
]: readonly (readonly string[])[]): readonly string[] {
  return (first ?? []).filter((label) => others.every((labels) => labels.includes(label)));
}

/** Compares labels. GitHub's labels ignore case. */
export function sameLabels(one: readonly string[], other: readonly string[]): boolean {
  const normal = (labels: readonly string[]) =>
    [...new Set(labels.map((label) => label.toLowerCase()))].sort().join(',');
  return normal(one) === normal(other);
}

/**
 * Refuses a runner with a fixed label: such a label keeps matching jobs, so the runner cannot be
 * paused.
 */
export function refuseOwnLabels({ name, labels }: GitHubRunner, wanted: readonly string[]): void {
  const own = labels.filter(
    ({ type, name: label }) => type === 'read-only' && !wanted.includes(label),
  );
  if (own[0] === undefined) return;
  throw new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: `GitHub runner ${name}`,
    detail: `its label ${own[0].name} cannot be removed; register runners with --no-default-labels`,
  });
}
