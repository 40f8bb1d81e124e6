import type { ErrorCode } from '../domain/error-codes.ts';
import { pageOfFile } from '../domain/project.ts';
import type { ErrorData } from '../ports/log-event.ts';
import type { ErrorFields } from './deploy-error.ts';

/** The documents of the released version, in the project that releases it. */
export const documentation = pageOfFile('docs/');

/** The text of an error: what, why, now, fix and ref, a line or more each; `stage` is the command that was run. */
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

/** The same for programs: the refusal of a command that was asked for JSON. */
export function errorAsData({ code, what, why = [], now, fix = [] }: ErrorFields): ErrorData {
  const situation = now === undefined ? {} : { now };
  return { code, message: what, why, ...situation, fix, ref: pageOf(code) };
}

/** Where a code is explained. */
export function pageOf(code: ErrorCode): string {
  return `${documentation}troubleshooting.md#${code.toLowerCase()}`;
}

/** A text of somebody else's among it must not look like the next part. Only `why` has lines, such as a table's. */
function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, ' ');
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split(/\r?\n|\r/).map(unlabelled))
    .map((line, index) => `  ${index === 0 ? label : '   '}  ${line}`);
}

/** A further line of a text, a table's perhaps, that must not look like a part of ours. */
function unlabelled(line: string, index: number): string {
  return index > 0 && /^\s*(?:✖|(?:why|now|fix|ref)\s)/.test(line) ? `| ${line.trimStart()}` : line;
}
