import { relative } from 'node:path';
import { counted } from '../../domain/text/count-text.ts';
import { fill } from '../../domain/text/placeholders.ts';
import { causeError } from '../../errors/terraform-causes.ts';
import { stateLocked } from '../../errors/terraform-errors.ts';
import { type FailureKind, PortFailure } from '../../ports/failure.ts';
import { explainEnd } from '../transport/words/program-end.ts';
import { sanitizeLine } from '../transport/words/sanitize.ts';
import { type Diagnostic, withoutAdvice, withoutRequest } from './diagnostics.ts';
import { causeOf, isLockRelease, isLockRequest } from './failure-patterns.ts';
import type { TerraformOptions } from './terraform-options.ts';
import type { ChildEnd } from './terraform-process.ts';
import type { Failure, TerraformOrder } from './terraform-run.ts';
import { findLock, isLasting } from './tfstate/state-lock.ts';

/** Decides whether the error is about a name that already exists. */
export function isNameTaken(diagnostic: Diagnostic): boolean {
  return causeOf([diagnostic]) === 'exists';
}

const mostCharacters = 400;
const mostLines = 4;

/** Creates the error for a failed command. */
export function toError({
  options,
  order,
  failure,
  touched,
  unsaved,
}: {
  options: TerraformOptions;
  order: TerraformOrder;
  failure: Failure;
  /** Whether the command may have changed infrastructure. */
  touched: boolean;
  /** Path of a state that Terraform could not store. */
  unsaved?: string | undefined;
}): Error {
  const { settings, redact } = options;
  const { binary } = settings;
  const place = { runner: order.shard.runnerName, shard: order.shard.shard, binary };
  const words = wordsOf(failure.diagnostics, redact);
  const lock = findLock(failure.diagnostics);
  if (lock !== undefined) {
    const directory = fill(settings.directory, order.shard);
    const dataDirectory = relative(order.directory, order.dataDirectory);
    const reason = sanitizeLine(redact(lock.reason), mostCharacters);
    const isOld = isLasting(lock, options.clock.now());
    return stateLocked({ ...place, lock: { ...lock, reason }, directory, dataDirectory, isOld });
  }
  const more = failure.diagnostics.length - words.length;
  const kept = [
    ...(more > 0 ? [`and ${counted(more, 'more error')}`] : []),
    ...(unsaved === undefined
      ? []
      : [
          `The state that it could not write is saved in ${unsaved}; the next run on this machine writes it.`,
        ]),
    ...(failure.diagnostics.some(isLockRelease)
      ? ['The state lock may remain; the next run then prints how to remove it.']
      : []),
  ];
  const cause = failure.end.kind === 'exited' ? causeOf(failure.diagnostics) : undefined;
  if (cause !== undefined) {
    const quoted = [...words.map((text) => `"${text}"`), ...kept];
    const isLockRequested = failure.diagnostics.some(isLockRequest);
    const { command } = order;
    return causeError(cause, { ...place, command, words: quoted, touched, isLockRequested });
  }
  const { kind, detail } = explain(failure.end);
  return new PortFailure({
    kind,
    effect: touched ? 'unknown' : 'none',
    source: `${binary} ${order.command}`,
    detail: [...(words.length === 0 ? [detail] : words), ...kept].join(' · '),
  });
}

/** Returns Terraform's output as lines. */
function wordsOf(
  diagnostics: readonly Diagnostic[],
  redact: TerraformOptions['redact'],
): readonly string[] {
  return diagnostics.slice(0, mostLines).map((diagnostic) => {
    const { summary } = diagnostic;
    const isOfLock = isLockRequest(diagnostic) || isLockRelease(diagnostic);
    const detail = isOfLock ? withoutRequest(withoutAdvice(diagnostic.detail)) : diagnostic.detail;
    return sanitizeLine(redact(detail === '' ? summary : `${summary}: ${detail}`), mostCharacters);
  });
}

function explain(end: ChildEnd): { kind: FailureKind; detail: string } {
  switch (end.kind) {
    case 'flooded':
      return { kind: 'unexpected', detail: 'it printed more than 256 MB' };
    case 'not_started':
      return { kind: 'refused', detail: `it could not be started (${end.code})` };
    default:
      return explainEnd(end);
  }
}
