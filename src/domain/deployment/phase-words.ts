import { inWords, type RegistryWords } from '../registry-words.ts';
import type { DeploymentRecord } from './record.ts';
import type { Phase } from './steps.ts';

const phases: Readonly<Record<Phase, string>> = {
  prepared: 'Nothing of {candidate} is built.',
  onboarded: '{candidate} is registered, in quarantine; nothing of it is built.',
  applying: '{candidate} may be partly built, in quarantine{idle}.',
  applied: '{candidate} is built and in quarantine{idle}.',
  healthy: '{candidate} is built and in quarantine{idle}.',
  promoting:
    '{candidate} may have the production {tags} beside {retiring}; the status is not known to be switched.',
  promoted: '{candidate} is promoted; {retiring} is still to be drained and removed.',
  draining: '{retiring} is draining: it is to take no new job, and finishes those that it has.',
  drained: '{retiring} is drained and not yet removed.',
  destroying: '{retiring} is drained and partly removed.',
  done: '',
  retreating: '{candidate} is being taken back: it is to take no customer job.',
};

/**
 * What an unfinished deployment has left so far, for the line that says where things stand.
 * `isIdle`: nothing that was seen denies that its candidate runs no customer's job.
 */
export function describePhase(
  { phase, candidate, retiring }: DeploymentRecord['deployment'],
  words: RegistryWords,
  { isIdle }: { isIdle: boolean },
): string {
  const idle = isIdle ? '; it takes no customer job' : '';
  return inWords(phases[phase], words, { candidate, retiring: retiring ?? 'nothing', idle });
}
