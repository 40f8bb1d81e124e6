import { type SimulatedGitlab, simulatedGitlabs } from '../../../src/cli/handler-types.ts';

export const GITLAB_VERSIONS = simulatedGitlabs;
export type GitLabVersion = SimulatedGitlab;

export const NEWEST_GITLAB: GitLabVersion = '19.3';

/**
 * Features by the oldest listed version that certainly has them. Between two listed versions, the
 * change is unknown. The older one then keeps the less convenient behaviour.
 */
const SINCE = {
  /**
   * Supports `inputs` of a new pipeline. Before, GitLab ignores them without an error and creates
   * the pipeline.
   */
  pipelineInputs: '17.11',
  /** Refuses an assignment with one sentence instead of a list per field. */
  assignmentRefusedInOneSentence: '17.11',
  /** Refuses a runner whose owner project is deleted, with 403. */
  orphansRefused: '17.11',
  /** Refuses such a runner with 422 instead. */
  orphansUnprocessable: '18.0',
  describedTokens: '17.11',
  addressesOfTokens: '18.0',
  personalTokensOnly: '18.0',
  /** Makes a runner's first project its owner, which it cannot be taken from. */
  ownerProject: '18.0',
  /** Counts `verify` alone as a contact. */
  verifyIsContact: '18.7',
  /** Waits for the runner's acknowledgement of an assigned job. */
  twoPhaseCommit: '18.7',
  /** Shows a runner's note only to users who may change the runner. */
  notesForUpdaters: '18.7',
  rateLimitsOfRunners: '18.7',
  jobRouter: '18.7',
  inputsOfRetries: '18.7',
  /** Gives new resource groups the project's default process mode: from about 18.4 on. */
  defaultProcessModes: '18.7',
  executionStatusInRest: '18.9',
  projectsOfRunner: '18.9',
  runnerWithoutProjects: '18.9',
  /** Ignores canceling jobs in the execution status. */
  executionIgnoresCanceling: '19.1',
  /** Keeps a runner's contact after its last manager is removed. */
  contactOutlivesManagers: '19.1',
  lockedRunnersStay: '19.1',
  /**
   * Requires the Owner role for group runners, as its documentation states again (an assumption).
   */
  groupRunnersForOwners: '19.1',
  orphansKeepTheirToken: '19.1',
  unmatchedJobsNamed: '19.1',
  /** Returns `404 Runner Not Found`. Before: `404 Not found`. */
  missingRunnersNamed: '19.3',
  /**
   * Ends a canceling job after 30 minutes without an update. Before: after an hour (an assumption).
   */
  cancelingEndsSooner: '19.3',
  readOnlyOrganizations: '19.3',
} as const satisfies Record<string, GitLabVersion>;

export type Features = Readonly<Record<keyof typeof SINCE, boolean>>;

export function featuresOf(version: GitLabVersion): Features {
  return Object.fromEntries(
    Object.entries(SINCE).map(([name, since]) => [name, isSince(version, since)]),
  ) as Features;
}

/**
 * Decides whether a version has a feature, or a field that an entity declares with its first
 * version.
 */
export function isSince(version: GitLabVersion, since: GitLabVersion): boolean {
  return GITLAB_VERSIONS.indexOf(version) >= GITLAB_VERSIONS.indexOf(since);
}
