import type { Message } from '../diagnostics.ts';
import { isLockRelease } from '../failure-patterns.ts';
import type { TerraformOptions } from '../terraform-options.ts';
import { type Failure, stream, type TerraformOrder } from '../terraform-run.ts';
import type { Workplace } from '../workplace.ts';
import { createHolderNote } from './state-lock.ts';

/** What Terraform says only once it has taken the lock. */
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

/** Runs a command that locks the state, and notes whose lock it is for the case that it is killed. */
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
    // Whoever ended by itself has released its lock, unless it says that it could not.
    if (isHeld && (failure === undefined || hasReleased(failure))) await note.ended();
    return failure;
  } finally {
    await messages.return(undefined);
  }
}

/** The same for one whose messages nobody reads. */
export async function runHolding(request: PlacedOrder): Promise<Failure | undefined> {
  const messages = streamHolding(request);
  let next = await messages.next();
  while (!next.done) next = await messages.next();
  return next.value;
}

function hasReleased({ end, diagnostics }: Failure): boolean {
  return end.kind === 'exited' && !diagnostics.some(isLockRelease);
}
