import { type ErrorCode, errorCodes } from '../../domain/error-codes.ts';
import { jsonDocument } from '../../domain/output-schema.ts';
import { inShell } from '../../domain/text/shell-quoting.ts';
import { show } from '../../domain/text/show.ts';
import { suggest } from '../../domain/text/suggestion.ts';
import { badUsage } from '../../errors/input-errors.ts';
import { pageOf } from '../../errors/render.ts';
import type { CommandExit, ExplainOptions } from '../handler-types.ts';
import { errorPages } from './error-pages.ts';

/** Prints the page of an error code from this version's documents; sends no requests. */
export async function explainCode(
  { code, json }: ExplainOptions,
  { write }: { readonly write: (text: string) => void },
): Promise<CommandExit> {
  const codes = code === undefined ? errorCodes : [findCode(code)];
  if (json) {
    const pages = codes.map((one) => ({
      code: one,
      text: errorPages[one] ?? '',
      ref: pageOf(one),
    }));
    write(jsonDocument({ pages }));
  } else if (code === undefined) write(codes.map((one) => `${one}: ${meaning(one)}\n`).join(''));
  else write(codes.map((one) => `${one}\n${indented(errorPages[one] ?? '')}\n`).join(''));
  return 0;
}

function findCode(typed: string): ErrorCode {
  const found = errorCodes.find((code) => code.toLowerCase() === typed.toLowerCase());
  if (found !== undefined) return found;
  const meant = suggest(typed, errorCodes);
  throw badUsage({
    what: `No error has the code ${show(typed)}.`,
    fix: [
      ...(meant === undefined
        ? []
        : [
            {
              text: 'Did you mean',
              command: inShell`explain ${meant}`,
              isAlone: true,
            } as const,
          ]),
      { text: 'List all codes', command: 'explain', isAlone: true },
    ],
  });
}

function meaning(code: ErrorCode): string {
  const [, meaningText = ''] = /Means: (.*?)(?=\n|$)/.exec(errorPages[code] ?? '') ?? [];
  return meaningText;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
