import type { Message } from '../diagnostics.ts';
import { isLockRelease } from '../failure-patterns.ts';
import type { TerraformOptions } from '../terraform-options.ts';
import { type Failure, stream, type TerraformOrder } from '../terraform-run.ts';
import type { Workplace } from '../workplace.ts';
import { createHolderNote } from './state-lock.ts';

/** Messages that Terraform sends only after it has taken the lock. */
const afterLock = new Set<unknown>([
  'refresh_start',
  'resource_drift',
  'planned_change',
  'change_summary',
  'apply_start',
]);

interface PlacedOrder {
  readonly options: TerraformOptions;
  readonly place: Workplace;
  readonly order: TerraformOrder;
}

/**
 * Runs a command that locks the state. A note of the lock holder remains if the command is killed.
 */
export async function* streamHolding({
  options,
  place,
  order,
}: PlacedOrder): AsyncGenerator<Message, Failure | undefined> {
  const note = createHolderNote(place, options);
  const messages = stream(options, order, note.started);
  let isHeld = false;
  try {
    let next = await messages.next();
    for (; !next.done; next = await messages.next()) {
      if (!isHeld && afterLock.has(next.value['type'])) {
        isHeld = true;
        await note.held();
      }
      yield next.value;
    }
    const failure = next.value;
    // A command that exits has released its lock, unless it reports a failed release.
    if (isHeld && (failure === undefined || hasReleased(failure))) await note.ended();
    return failure;
  } finally {
    await messages.return(undefined);
  }
}

/** Runs a command that locks the state, and ignores its messages. */
export async function runHolding(request: PlacedOrder): Promise<Failure | undefined> {
  const messages = streamHolding(request);
  let next = await messages.next();
  while (!next.done) next = await messages.next();
  return next.value;
}

function hasReleased({ end, diagnostics }: Failure): boolean {
  return end.kind === 'exited' && !diagnostics.some(isLockRelease);
}
