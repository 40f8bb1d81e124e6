import type { RunProblem } from '../../errors/run.ts';
import { parseMoment } from './moment.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads variables and remembers what is wrong with them, so that all of it is said at once. */
export interface Variables {
  read(variable: string, shape: Shape): string;
  find(variable: string, shape: Shape): string | undefined;
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

export function readVariables(environment: Environment): Variables {
  const problems: RunProblem[] = [];
  function find(variable: string, shape: Shape): string | undefined {
    const value = environment[variable];
    if (value === undefined || value === '') return undefined;
    if (shape.accepts(value)) return value;
    problems.push({ variable, value, expected: shape.expected });
    return undefined;
  }
  return {
    problems,
    find,
    read(variable, shape) {
      const before = problems.length;
      const value = find(variable, shape);
      if (value !== undefined) return value;
      if (problems.length === before) problems.push({ variable, expected: shape.expected });
      return '';
    },
  };
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text) || /[\s\u0000-\u001f]/.test(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}
