import { hasRegistrationMark } from '../../../domain/deployment/onboarding.ts';
import { withoutPauseMark, withPauseMark } from '../../../domain/drain/pause-mark.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import { endsRun, isPortFailure } from '../../../ports/failure.ts';
import type { Found, Registration } from '../../../ports/registry.ts';

/** Run that pauses runners in this process. */
export interface Pauser {
  /** Id of the run, for example of its pipeline. */
  readonly run: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}

export interface PauseNotes {
  /** Records a runner as GitLab has just returned it. */
  seen(registration: Registration): void;
  /**
   * Sends a change of the intake together with the changed note. Undefined leaves the note
   * unchanged.
   */
  write(change: IntakeChange, send: (note: string | undefined) => Promise<void>): Promise<void>;
}

interface IntakeChange {
  readonly id: RegistrationId;
  readonly intake: 'open' | 'closed';
  readonly reread: () => Promise<Found<Registration>>;
}

/** Age after which the note is read again: an operator may have edited it. */
const freshMs = 30_000;

/**
 * Creates the notes of paused runners. GitLab replaces a note as a whole. Therefore each write
 * needs a note that was read before it. A read is used only once if the write may have arrived. The
 * mark is only added to a note that hosted-runner began. An operator's runner keeps its note.
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
      // A missing note does not stop the pause.
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
        // A refused write is sent again, so the read stays valid.
        if (!isPortFailure(error) || error.effect !== 'none') reads.delete(id);
        throw error;
      }
    },
  };
}
