/**
 * Abilities of a released gitlab-runner by version. The limits come from its source, tag by tag.
 */
export interface RunnerAbilities {
  sendsSystemId: boolean;
  twoPhaseCommit: boolean;
  jobInputs: boolean;
  processState: boolean;
  readiness: boolean;
  infoOnVerify: boolean;
  /** Exposes the job router's series, also without the router. */
  routerSeries: boolean;
  /** Labels the router's histogram with its runner. */
  routerLabels: boolean;
  /**
   * Reports an interruption. Otherwise, a job that a forced stop killed counts as
   * `runner_system_failure`.
   */
  reportsInterruption: boolean;
  /** Makes up to five attempts in one job request. Before, only after a 429. */
  retriesRequests: boolean;
  /** Supports the gRPC wrapper's call that ends jobs. */
  wrapperForces: boolean;
}

export function abilitiesOf(version: string): RunnerAbilities {
  return {
    sendsSystemId: isAtLeast(version, 15, 8),
    twoPhaseCommit: isAtLeast(version, 18, 5),
    jobInputs: isAtLeast(version, 18, 9),
    processState: isAtLeast(version, 19, 1),
    readiness: isAtLeast(version, 19, 2),
    infoOnVerify: isAtLeast(version, 19, 3),
    routerSeries: isAtLeast(version, 19, 2),
    routerLabels: isAtLeast(version, 19, 4),
    reportsInterruption: isAtLeast(version, 19, 1),
    retriesRequests: isAtLeast(version, 18, 3),
    wrapperForces: isAtLeast(version, 17, 10),
  };
}

export function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}
