import { printable } from '../domain/text/show.ts';

/** Source of a value, for operators. */
export type Place =
  | { readonly kind: 'file'; readonly line: number; readonly column: number }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'flag'; readonly key: string };

export interface Problem {
  readonly place: Place;
  readonly text: string;
}

/**
 * Formats one line each: the file from top to bottom, then the environment, then flags; without
 * repeats.
 */
export function renderProblems(path: string, problems: readonly Problem[]): string[] {
  const sorted = [...problems].sort((left, right) => {
    const [first, second] = [orderOf(left.place), orderOf(right.place)];
    return first[0] - second[0] || first[1] - second[1] || first[2] - second[2];
  });
  return [
    ...new Set(sorted.map((problem) => `${renderPlace(path, problem.place)}: ${problem.text}`)),
  ];
}

function orderOf(place: Place): readonly [number, number, number] {
  if (place.kind === 'file') return [0, place.line, place.column];
  return [place.kind === 'environment' ? 1 : 2, 0, 0];
}

/** Formats a place briefly for the record, without the name of the file. */
export function describePlace(place: Place): string {
  return place.kind === 'file'
    ? `the configuration file, line ${place.line}`
    : renderPlace('', place);
}

function renderPlace(path: string, place: Place): string {
  switch (place.kind) {
    case 'file':
      return `${path}:${place.line}:${place.column}`;
    case 'environment':
      return printable(place.name);
    case 'flag':
      return `--set ${place.key}`;
  }
}
