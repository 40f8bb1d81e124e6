/** Longest note that GitLab accepts, in code points. */
const mostCharacters = 1024;
const marks =
  /(?:^|(?:\r?\n){1,2})hosted-runner-deploy: paused by run \S+ at \S+\. Do not resume by hand\.[ \t]*(?=\r?\n|$)/g;

/**
 * Adds a line to the maintenance note that names the pausing run. Returns undefined if GitLab would
 * refuse the note.
 */
export function withPauseMark(
  note: string,
  { run, at }: { readonly run: string; readonly at: string },
): string | undefined {
  const mark = `hosted-runner-deploy: paused by run ${run} at ${at}. Do not resume by hand.`;
  // GitLab renders the note as Markdown: without an empty line, the mark would continue the
  // previous paragraph.
  const marked = `${withoutPauseMark(note)}\n\n${mark}`;
  return [...marked].length > mostCharacters ? undefined : marked;
}

/** Removes the mark, and keeps any other text that was added since. */
export function withoutPauseMark(note: string): string {
  return note.replace(marks, '');
}
