import type { ErrorFields } from './deploy-error.ts';

/** The text of an error as STYLE.md shows it; `stage` is the command that was run. */
export function renderError(stage: string, error: ErrorFields): string {
  const lines = [
    `✖ ${stage}: ${error.what}`,
    ...labelled('why', error.why ?? []),
    ...labelled('now', error.now === undefined ? [] : [error.now]),
    ...labelled('fix', error.fix ?? []),
    `  ref  ${error.code} · docs/troubleshooting.md#${error.code.toLowerCase()}`,
  ];
  return lines.join('\n');
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line, index) => `  ${index === 0 ? label : '   '}  ${line}`);
}
