/** What each status of a refused write is: a refusal has changed nothing, an outage may have. */
export const statuses = [
  [401, 'unauthenticated', 'none'],
  [403, 'denied', 'none'],
  [404, 'refused', 'none'],
  [409, 'refused', 'none'],
  [422, 'refused', 'none'],
  [500, 'unavailable', 'unknown'],
] as const;
