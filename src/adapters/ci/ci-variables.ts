import type { RunProblem } from '../../errors/run-errors.ts';
import { parseMoment } from './moment.ts';

export type CiEnvironment = Readonly<Record<string, string | undefined>>;

/** Reads variables and collects their problems, so one error reports all of them. */
export interface Variables {
  /** Reads a required value. A missing or malformed value is a problem. */
  read(variable: string, shape: Shape): string;
  /** Finds an optional value. Undefined if missing; a malformed value is a problem. */
  find(variable: string, shape: Shape, fix?: string): string | undefined;
  /** Finds a value that is only shown. A malformed value counts as missing. */
  show(variable: string, shape: Shape): string | undefined;
  readonly problems: readonly RunProblem[];
}

export interface Shape {
  readonly accepts: (text: string) => boolean;
  readonly expected: string;
}

export const shapes = {
  number: { accepts: (text) => /^[1-9]\d{0,17}$/.test(text), expected: 'a number' },
  moment: {
    accepts: (text) => parseMoment(text) !== undefined,
    expected: 'a time such as 2026-11-20T10:00:00Z',
  },
  repository: {
    accepts: (text) => /^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/.test(text),
    expected: 'owner/name',
  },
  name: {
    accepts: (text) => /^[A-Za-z0-9_][A-Za-z0-9_.@ ()[\]-]{0,199}$/.test(text),
    expected: 'a name of letters, digits and _.@-',
  },
  id: {
    accepts: (text) => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/.test(text),
    expected: 'up to 100 letters, digits and _.-',
  },
  commit: {
    accepts: (text) => /^[0-9a-f]{7,64}$/.test(text),
    expected: 'the hexadecimal digits of a commit',
  },
  url: { accepts: isWebAddress, expected: 'a URL' },
} as const satisfies Readonly<Record<string, Shape>>;

/** Returns the fix for a malformed variable that the user sets. */
export function correct(variable: string, { expected }: Shape): string {
  return `Correct ${variable} to ${expected}, or unset it.`;
}

/** @param usualFix fix for a malformed variable that the CI itself sets */
export function readVariables(
  environment: CiEnvironment,
  usualFix: (variable: string) => string,
): Variables {
  const problems: RunProblem[] = [];
  function find(variable: string, shape: Shape, fix = usualFix(variable)): string | undefined {
    const value = environment[variable];
    if (value === undefined || value === '') return undefined;
    if (shape.accepts(value)) return value;
    problems.push({ variable, value, expected: shape.expected, fix });
    return undefined;
  }
  return {
    problems,
    find,
    show(variable, shape) {
      const value = environment[variable];
      return value !== undefined && shape.accepts(value) ? value : undefined;
    },
    read(variable, shape) {
      const before = problems.length;
      const value = find(variable, shape);
      if (value !== undefined) return value;
      const fix = usualFix(variable);
      if (problems.length === before) problems.push({ variable, expected: shape.expected, fix });
      return '';
    },
  };
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text) || /[\s\u0000-\u001f]/.test(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}
