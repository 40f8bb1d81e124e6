import type { DiagnosisCode } from './health/diagnosis.ts';

/** Pair of log signs: the last matching line decides whether the cause is present. */
export interface LogSign {
  readonly set: RegExp;
  readonly clear: RegExp;
  /**
   * Set if the program repeats `set` while the cause lasts, and logs no response without a job. An
   * answered request that it counts ends the cause, and so does the age of the line.
   */
  readonly omitsResponses?: boolean;
}

/** Terms of a registry for its objects, defined by its adapter. */
export interface RegistryTerms {
  /** Name: `GitLab`, `GitHub`. */
  readonly registry: string;
  /** Term for a shard's runner: `runner`, `fleet`. */
  readonly registration: string;
  /** Term for the registry's record of it. */
  readonly record: string;
  /** Term for the process that runs jobs: `manager`, `runner`. */
  readonly manager: string;
  readonly managers: string;
  readonly tag: string;
  readonly tags: string;
  /** Adjectives for a runner that accepts no new job, and for one that does. */
  readonly paused: string;
  readonly unpaused: string;
  /** Past tense of the acts that change this. */
  readonly pausing: string;
  readonly unpausing: string;
  /** Name of the program on the host. */
  readonly program: string;
  /** Oldest supported version of the program, such as `15.8`, defined only here. */
  readonly oldestProgram?: string;
  /** Instruction to assign a runner to the shard `{name}`, without a full stop. */
  readonly adopt: string;
  /** Same instruction if several runners have the name `{name}`. */
  readonly adoptOne: string;
  /** Whether operators can name a runner by an id, besides its shard's name. */
  readonly hasIds: boolean;
  /** Consequence of a refused token, and whether the refusal may pass by itself. */
  readonly refused: string;
  readonly refusalPasses: boolean;
  /** Signs of each cause in the program's log, and of its end. */
  readonly logSigns: Readonly<Partial<Record<DiagnosisCode, LogSign>>>;
  /**
   * Line with which the program stops its requests, and one that gives a reason other than its
   * token.
   */
  readonly silenced?: RegExp;
  readonly otherNoResponse?: RegExp;
}

/** Fills in `{registry}`, `{managers}` and similar terms, and the values in `named`. */
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
