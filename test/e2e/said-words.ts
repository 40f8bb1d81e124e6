/** A line of a wait for a name that AWS keeps back: of the lock, or of a token. */
export const waitsForName = /can be used again|keeps it back/;

/** The demo's count of the judge's answers, where nothing was broken. */
export const knowsWhoServes =
  /^ {2}Judge {9}asked [1-9]\d* times whether a shard serves where nothing was broken: unknown 0; /m;
