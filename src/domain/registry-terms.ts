import type { DiagnosisCode } from './health/diagnosis.ts';

/** Two kinds of lines; whichever stands last in a log decides whether the cause is there now. */
export interface LogSign {
  readonly set: RegExp;
  readonly clear: RegExp;
  /**
   * The program repeats the first kind of line while the cause lasts, and logs nothing of a request that is
   * answered with no job: the requests that it counts end the cause, and so does the age of the line.
   */
  readonly endsSilently?: boolean;
}

/** How a registry's people speak of what is registered there; said by its adapter. */
export interface RegistryTerms {
  /** `GitLab`, `GitHub`. */
  readonly registry: string;
  /** What is one registration of a shard to us: `runner`, `fleet`. */
  readonly registration: string;
  /** What the registry keeps of it. */
  readonly record: string;
  /** What runs jobs behind a registration: `manager`, `runner`. */
  readonly manager: string;
  readonly managers: string;
  readonly tag: string;
  readonly tags: string;
  /** Of a registration that takes no new job, and of one that does. */
  readonly paused: string;
  readonly unpaused: string;
  /** The act of making it so, in the past tense. */
  readonly pausing: string;
  readonly unpausing: string;
  /** The program on the host. */
  readonly program: string;
  /** The oldest of it that is supported, `15.8`; the only place that states it. */
  readonly oldestProgram?: string;
  /** How a person makes a registration the shard's, `{name}`: an instruction without a dot. */
  readonly adopt: string;
  /** Whether a registration has an id that a person can name it by, beside its shard's name. */
  readonly hasIds: boolean;
  /** What becomes of a runner whose token is refused, and whether the refusal may be over by itself. */
  readonly refused: string;
  readonly refusalPasses: boolean;
  /** What gives a cause away in the program's log, and what ends it. */
  readonly logSigns: Readonly<Partial<Record<DiagnosisCode, LogSign>>>;
  /** A line with which the program falls silent, and one that gives it another reason than its token. */
  readonly silenced?: RegExp;
  readonly otherNoResponse?: RegExp;
}

/** `{registry}`, `{managers}` and the like in a text of a catalogue, and what else is `named`. */
export function inTerms(
  text: string,
  words: RegistryTerms,
  named: Readonly<Record<string, string>> = {},
): string {
  const all: Readonly<Record<string, unknown>> = { ...words, ...named };
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const word = all[name];
    return typeof word === 'string' ? word : whole;
  });
}
