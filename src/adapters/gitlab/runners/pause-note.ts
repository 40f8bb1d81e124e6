import { hasRegistrationMark } from '../../../domain/deployment/onboarding.ts';
import { withoutPauseMark, withPauseMark } from '../../../domain/drain/pause-mark.ts';
import type { RegistrationId } from '../../../domain/shard.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Registration } from '../../../ports/registry.ts';

/** Who pauses runners in this process. */
export interface Pauser {
  /** Its id: that of the pipeline, for example. */
  readonly run: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}

export interface PauseNotes {
  /** The registration as GitLab has just returned it. */
  seen(registration: Registration): void;
  /** The note that the write of this intake changes, too; undefined leaves the note as it is. */
  take(id: RegistrationId, intake: 'open' | 'closed'): string | undefined;
}

/** An operator may have edited the note since. */
const freshMs = 30_000;

/**
 * GitLab replaces a note as a whole. Therefore the note comes from the read that precedes each pause, one read serves
 * one write, and the mark is only added to a note that hosted-runner began: an operator's runner keeps its own note.
 */
export function createPauseNotes({ run, clock }: Pauser): PauseNotes {
  const reads = new Map<RegistrationId, { readonly note: string; readonly at: number }>();
  return {
    seen({ id, note }) {
      reads.set(id, { note, at: clock.elapsed() });
    },
    take(id, intake) {
      const read = reads.get(id);
      reads.delete(id);
      if (read === undefined || clock.elapsed() - read.at > freshMs) return undefined;
      const { note } = read;
      const at = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
      if (intake === 'closed')
        return hasRegistrationMark(note) ? withPauseMark(note, { run, at }) : undefined;
      const without = withoutPauseMark(note);
      return without === note ? undefined : without;
    },
  };
}
