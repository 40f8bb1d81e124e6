import type { ErrorCode } from '../domain/error-codes.ts';
import { pageOfFile } from '../domain/project.ts';
import type { ErrorData } from '../ports/log-event.ts';
import type { ErrorFields } from './deploy-error.ts';

/** Documents of the released version, in the project that releases it. */
export const documentation = pageOfFile('docs/');

/**
 * Formats an error as text: what, why, now, fix and ref, one or more lines each. `stage` is the
 * command that ran.
 */
export function renderError(stage: string, error: ErrorFields): string {
  const lines = [
    `✖ ${stage}: ${oneLine(error.what)}`,
    ...labelled('why', error.why ?? []),
    ...labelled('now', error.now === undefined ? [] : [oneLine(error.now)]),
    ...labelled('fix', (error.fix ?? []).map(oneLine)),
    `  ref  ${error.code} · ${pageOf(error.code)}`,
  ];
  return lines.join('\n');
}

/** Formats an error for programs, for a command with JSON output. */
export function errorAsData({ code, what, why = [], now, fix = [] }: ErrorFields): ErrorData {
  const situation = now === undefined ? {} : { now };
  return { code, message: what, why, ...situation, fix, ref: pageOf(code) };
}

/** Returns the page that explains a code. */
export function pageOf(code: ErrorCode): string {
  return `${documentation}troubleshooting.md#${code.toLowerCase()}`;
}

/**
 * Joins lines: text from another system must not resemble the next label. Only `why` keeps lines.
 */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, ' ');
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(/\r?\n|\r/).map(unlabelled))
    .map((line, index) => `  ${index === 0 ? label : '   '}  ${line}`);
}

/** Marks a line of another system's text, such as a table, that resembles a label. */
function unlabelled(line: string, index: number): string {
  return index > 0 && /^\s*(?:✖|(?:why|now|fix|ref)\s)/.test(line) ? `| ${line.trimStart()}` : line;
}
