import { parseJson } from '../../domain/text/json.ts';

/** Error that Terraform reports. */
export interface Diagnostic {
  readonly summary: string;
  readonly detail: string;
  /** Address of the affected resource. */
  readonly address?: string;
}

export type Message = Readonly<Record<string, unknown>>;

/** Parses a line of `-json`. Undefined for any other line. */
export function parseMessage(line: string): Message | undefined {
  if (!line.startsWith('{')) return undefined;
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? (value as Message) : undefined;
}

/** Reads an error and its place from a message of `-json`. */
export function readDiagnostic(message: Message): Diagnostic | undefined {
  if (message['type'] !== 'diagnostic') return undefined;
  const fields = (message['diagnostic'] ?? {}) as Message;
  if (fields['severity'] !== 'error') return undefined;
  const range = fields['range'] as { filename?: unknown; start?: { line?: unknown } } | undefined;
  const place = range?.filename === undefined ? '' : `${range.filename}:${range.start?.line}: `;
  const address = typeof fields['address'] === 'string' ? fields['address'] : undefined;
  return {
    summary: `${place}${address === undefined ? '' : `${address}: `}${textOf(fields['summary'])}`,
    detail: textOf(fields['detail']),
    ...(address === undefined ? {} : { address }),
  };
}

/**
 * Limit for the text of an error. A provider may quote a whole response in it, and the patterns of
 * the causes take quadratic time.
 */
const mostText = 8 * 1024;
/** Limit for the number of errors. A provider may report one per resource. */
export const mostDiagnostics = 200;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, mostText) : '';
}

/**
 * Reads errors from text without colour: blocks with `Error: summary`, an empty line and the
 * detail.
 */
export function readTextDiagnostics(text: string): Diagnostic[] {
  const plain = text.replace(/^[│╷╵][ \t]?/gm, '');
  return plain
    .split(/^Error: /m, mostDiagnostics + 1)
    .slice(1)
    .map((block) => {
      const [summary = '', ...rest] = block.split('\n');
      return { summary: textOf(summary.trim()), detail: textOf(rest.join('\n').trim()) };
    });
}

/**
 * Removes the advice that Terraform and OpenTofu add to a lock error: `-lock=false` is no fix here.
 */
export function withoutAdvice(detail: string): string {
  const [words = ''] = detail.split(
    /\s*(?:Terraform|OpenTofu)\s+acquires\s+a\s+(?:state\s+)?lock\s/,
  );
  return words.replace(/^Error message:\s*/, '');
}

/**
 * Removes the description of the request from a failed lock request. It reads like an existing
 * lock.
 */
export function withoutRequest(words: string): string {
  return words.split('Lock Info:')[0]?.trimEnd() ?? '';
}
