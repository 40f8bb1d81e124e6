/** What a released gitlab-runner of this version does. The bounds are those of its source, tag by tag. */
export interface RunnerAbilities {
  sendsSystemId: boolean;
  twoPhaseCommit: boolean;
  jobInputs: boolean;
  processState: boolean;
  readiness: boolean;
  infoOnVerify: boolean;
  /** Series of the job router, also where the router is not used. */
  routerSeries: boolean;
  /** The router's histogram has the labels of its runner. */
  routerLabels: boolean;
  /** Otherwise a job killed by a forceful stop counts as `runner_system_failure`. */
  reportsInterruption: boolean;
  /** Up to five attempts in one call for a job; before, of 429 alone. */
  retriesRequests: boolean;
  /** The gRPC wrapper's call that ends jobs. */
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
