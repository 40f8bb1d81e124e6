import { PortFailure } from '../../../ports/failure.ts';
import { toError } from '../terraform-failure.ts';
import type { TerraformOptions } from '../terraform-options.ts';
import { capture, type Failure } from '../terraform-run.ts';
import { orderOf, type Workplace } from '../workplace.ts';
import { dropUnsaved, isEncrypted, readUnsaved, unsavedFile } from './emergency-state.ts';
import { findLock, isProvenDead } from './state-lock.ts';

/**
 * Runs an action that locks the state. If the lock belongs to a proven dead process of
 * hosted-runner, it is broken and the action runs once more.
 */
export async function breakingDeadLock(
  options: TerraformOptions,
  place: Workplace,
  act: () => Promise<Failure | undefined>,
): Promise<Failure | undefined> {
  const failure = await act();
  const lock = failure === undefined ? undefined : findLock(failure.diagnostics);
  if (lock?.id === undefined || !(await isProvenDead(place, lock, options.processes)))
    return failure;
  await unlock(options, place, lock.id);
  return act();
}

async function unlock(options: TerraformOptions, place: Workplace, id: string): Promise<void> {
  const order = orderOf(place, 'force-unlock', ['-force', '-no-color', id]);
  const ended = await capture(options, order);
  // Another run may have released the lock meanwhile. The next attempt decides.
  if (ended.kind === 'failed' && ended.end.kind !== 'exited') {
    throw toError({ options, order, failure: ended, touched: false });
  }
}

/**
 * Creates the refusal for an encrypted state. OpenTofu encrypts the file that it leaves, but its
 * `state push` reads no encrypted file (internal/backend/local, internal/command/state_push.go).
 * Only `state pull` decrypts.
 */
function encrypted(file: string): PortFailure {
  return new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: 'tofu state push',
    detail: `${file} is encrypted, but only a plain state can be pushed. Copy it as terraform.tfstate into an empty folder with the same encryption block, and run there: tofu init; tofu state pull > plain.tfstate. Then run beside the configuration: tofu state push plain.tfstate, and remove both files`,
  });
}

/**
 * Stores the state that an earlier apply could not store. Terraform itself refuses a state with
 * another lineage, or one that is older than the stored state.
 */
export async function saveUnsaved(options: TerraformOptions, place: Workplace): Promise<void> {
  const unsaved = await readUnsaved(place);
  if (unsaved === undefined) return;
  if (isEncrypted(unsaved)) throw encrypted(unsavedFile(place));
  const timeout = `-lock-timeout=${Math.ceil(options.settings.lockTimeoutMs / 1000)}s`;
  const words = ['push', '-no-color', timeout, unsavedFile(place)];
  const order = { ...orderOf(place, 'state', words), command: 'state push' };
  const failure = await breakingDeadLock(options, place, async () => {
    const ended = await capture(options, order);
    return ended.kind === 'failed' ? ended : undefined;
  });
  if (failure !== undefined) throw toError({ options, order, failure, touched: false });
  await dropUnsaved(place);
}
