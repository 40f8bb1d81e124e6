import { type SimulatedGitlab, simulatedGitlabs } from '../../../src/cli/handler-types.ts';

export const GITLAB_VERSIONS = simulatedGitlabs;
export type GitLabVersion = SimulatedGitlab;

export const NEWEST_GITLAB: GitLabVersion = '19.3';

/**
 * What each version brought, by the oldest of the names above that has it for certain. Between two
 * names nothing is known: the older one is the less convenient, and stays as it was.
 */
const SINCE = {
  /** `inputs` of a new pipeline are read. Before, they are dropped in silence and it is made without. */
  pipelineInputs: '17.11',
  /** A refused assignment is one sentence, not a list for each field. */
  assignmentRefusedInOneSentence: '17.11',
  /** A runner whose owner is gone is refused (403) … */
  orphansRefused: '17.11',
  /** … and from here on with 422. */
  orphansUnprocessable: '18.0',
  describedTokens: '17.11',
  addressesOfTokens: '18.0',
  personalTokensOnly: '18.0',
  /** The first project owns a runner and cannot let go of it. */
  ownerProject: '18.0',
  /** `verify` alone makes a runner contacted. */
  verifyIsContact: '18.7',
  /** A job that was given away waits for its runner's word. */
  twoPhaseCommit: '18.7',
  /** A runner's note is for those who may change the runner. */
  notesForUpdaters: '18.7',
  rateLimitsOfRunners: '18.7',
  jobRouter: '18.7',
  inputsOfRetries: '18.7',
  executionStatusInRest: '18.9',
  projectsOfRunner: '18.9',
  runnerWithoutProjects: '18.9',
  /** A job that is being cancelled does not make its runner active. */
  executionIgnoresCanceling: '19.1',
  /** That the last manager left does not clear a runner's contact any more. */
  contactOutlivesManagers: '19.1',
  lockedRunnersStay: '19.1',
  /** Its documentation says Owner again; an assumption, as nobody read the policy. */
  groupRunnersForOwners: '19.1',
  orphansKeepTheirToken: '19.1',
  unmatchedJobsNamed: '19.1',
  /** `404 Runner Not Found`; before, `404 Not found`. */
  missingRunnersNamed: '19.3',
  /** 30 minutes of silence end a job that is being cancelled; before, an hour (an assumption). */
  cancelingEndsSooner: '19.3',
  readOnlyOrganizations: '19.3',
} as const satisfies Record<string, GitLabVersion>;

export type Features = Readonly<Record<keyof typeof SINCE, boolean>>;

export function featuresOf(version: GitLabVersion): Features {
  return Object.fromEntries(
    Object.entries(SINCE).map(([name, since]) => [name, isSince(version, since)]),
  ) as Features;
}

/** Also of a field that one entity alone has, and that says there since when. */
export function isSince(version: GitLabVersion, since: GitLabVersion): boolean {
  return GITLAB_VERSIONS.indexOf(version) >= GITLAB_VERSIONS.indexOf(since);
}
