/** Lines about a wait for a blocked name of a lock or a token. */
export const waitsForName = /after its deletion|reserves it for/;

/** The demo's count of hosted-runner's checks in scenarios without a fault. */
export const conclusiveChecks =
  /^ {2}Checks {8}by hosted-runner: [1-9]\d* in scenarios without a fault \(0 inconclusive\), /m;
