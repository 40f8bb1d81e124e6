/** A failure with its cause and the next commands, in the form of the program's errors. */
export class PublishProblem extends Error {
  /** @param {{ what: string, why?: string | undefined, now: string, fix: readonly string[] }} parts */
  constructor({ what, why, now, fix }) {
    super(what);
    this.why = why;
    this.now = now;
    this.fix = fix;
  }
}

/** Text of `now:` for a failure before the first change. */
export const unchanged = 'Nothing was changed on this GitLab.';

/** Text of `now:` for a failure after the first change. */
export const resumable =
  'Finished steps stay. The same command skips them and resumes with the rest.';

/** @param {PublishProblem} problem @returns {string} */
export function renderProblem({ message, why, now, fix }) {
  return [
    `✖ publish: ${message}`,
    ...(why ? [`  why  ${why}`] : []),
    `  now  ${now}`,
    ...fix.map((line, index) => `  ${index === 0 ? 'fix' : '   '}  ${line}`),
    '  ref  docs/use/networks.md#a-mirror-of-this-project',
  ].join('\n');
}
