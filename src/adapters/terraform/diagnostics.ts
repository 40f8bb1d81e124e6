import { parseJson } from '../../domain/text/json.ts';

/** One error of Terraform's own. */
export interface Diagnostic {
  readonly summary: string;
  readonly detail: string;
  /** Of the resource that it is about. */
  readonly address?: string;
}

export type Message = Readonly<Record<string, unknown>>;

/** A line of `-json`; undefined for a line that is something else. */
export function parseMessage(line: string): Message | undefined {
  if (!line.startsWith('{')) return undefined;
  const value = parseJson(line);
  return typeof value === 'object' && value !== null ? (value as Message) : undefined;
}

/** An error out of the stream of `-json`, with the place that it points to. */
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
 * More than any error says; a provider may quote the whole body of a response in it. The patterns of the
 * causes take the square of the length.
 */
const mostText = 8 * 1024;
/** More than an error shows; a provider may print one for each of its resources. */
export const mostDiagnostics = 200;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, mostText) : '';
}

/** Errors out of text without colour: blocks of `Error: summary`, an empty line, the detail. */
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

/** The backend's own words of a lock, without what Terraform or OpenTofu adds to each: `-lock=false` is no way out here. */
export function withoutAdvice(detail: string): string {
  const [words = ''] = detail.split(
    /\s*(?:Terraform|OpenTofu)\s+acquires\s+a\s+(?:state\s+)?lock\s/,
  );
  return words.replace(/^Error message:\s*/, '');
}

/** The words of a failed request without its own description, which reads like a lock that exists. */
export function withoutRequest(words: string): string {
  return words.split('Lock Info:')[0]?.trimEnd() ?? '';
}
