import { hasRegistrationMark } from '../../../domain/deployment/onboarding.ts';
import { withoutPauseMark, withPauseMark } from '../../../domain/drain/pause-mark.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { Found, Registration } from '../../../ports/registry.ts';

/** Who pauses runners in this process. */
export interface Pauser {
  /** Its id: that of the pipeline, for example. */
  readonly run: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}

export interface PauseNotes {
  /** The registration as GitLab has just returned it. */
  seen(registration: Registration): void;
  /** Sends the write of this intake with the note that it changes, too; undefined leaves the note as it is. */
  write(change: IntakeChange, send: (note: string | undefined) => Promise<void>): Promise<void>;
}

interface IntakeChange {
  readonly id: RegistrationId;
  readonly intake: 'open' | 'closed';
  readonly reread: () => Promise<Found<Registration>>;
}

/** An operator may have edited the note since. */
const freshMs = 30_000;

/**
 * GitLab replaces a note as a whole. Therefore the note comes from the read that precedes each pause, one read serves
 * one write that may have reached GitLab, and the mark is only added to a note that hosted-runner began: an operator's
 * runner keeps its own note.
 */
export function createPauseNotes({ run, clock }: Pauser): PauseNotes {
  const reads = new Map<RegistrationId, { readonly note: string; readonly at: number }>();
  const changedNote = (note: string, intake: 'open' | 'closed'): string | undefined => {
    const at = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    if (intake === 'closed')
      return hasRegistrationMark(note) ? withPauseMark(note, { run, at }) : undefined;
    const without = withoutPauseMark(note);
    return without === note ? undefined : without;
  };
  const readAgain = async ({ reread }: IntakeChange): Promise<string | undefined> => {
    try {
      const found = await reread();
      return found.kind === 'found' ? found.value.note : undefined;
    } catch (error) {
      // The note is not worth a pause.
      if (!isPortFailure(error) || endsRun(error)) throw error;
      return undefined;
    }
  };
  return {
    seen({ id, note }) {
      reads.set(id, { note, at: clock.elapsed() });
    },
    async write(change, send) {
      const { id, intake } = change;
      const read = reads.get(id);
      const isOld = read !== undefined && clock.elapsed() - read.at > freshMs;
      const note = isOld ? await readAgain(change) : read?.note;
      try {
        await send(note === undefined ? undefined : changedNote(note, intake));
        reads.delete(id);
      } catch (error) {
        // What was refused is sent again.
        if (!isPortFailure(error) || error.effect !== 'none') reads.delete(id);
        throw error;
      }
    },
  };
}
