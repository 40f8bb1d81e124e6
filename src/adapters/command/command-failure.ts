import { type FailureKind, PortFailure } from '../../ports/failure.ts';
import { explainEnd } from '../transport/words/program-end.ts';
import { sanitizeLine } from '../transport/words/sanitize.ts';
import type { CommandEnd } from './command-process.ts';

export interface FailedOrder {
  readonly name: 'apply' | 'destroy' | 'outputs';
  readonly command: readonly string[];
}

const mostCharacters = 300;

/**
 * Translates a command's end into a failure. A started command may have had any effect, unless it
 * only reads.
 */
export function toCommandFailure({
  end,
  order,
  lastError,
}: {
  end: CommandEnd;
  order: FailedOrder;
  /** Last line of standard error, redacted. */
  lastError: string;
}): PortFailure {
  const { kind, detail } = explain(end, order.command[0] ?? '');
  const words = sanitizeLine(lastError, mostCharacters);
  const started = end.kind !== 'not_started';
  return new PortFailure({
    kind,
    effect: started && order.name !== 'outputs' ? 'unknown' : 'none',
    // Without arguments: an operator may have put a secret there.
    source: `infrastructure command ${order.name} (${order.command[0] ?? ''})`,
    detail: words === '' || !started ? detail : `${detail}: "${words}"`,
  });
}

function explain(end: CommandEnd, file: string): { kind: FailureKind; detail: string } {
  if (end.kind !== 'not_started') return explainEnd(end);
  return { kind: 'refused', detail: whyNotStarted(end, file) };
}

function whyNotStarted(end: Extract<CommandEnd, { kind: 'not_started' }>, file: string): string {
  if (/\bcwd\b/.test(end.message)) return 'infrastructure.working_directory is not a directory';
  if (end.code === 'ENOENT') return `command not found: ${file}`;
  if (end.code === 'EACCES') return `not executable: ${file}`;
  return `it could not be started (${end.code})`;
}
