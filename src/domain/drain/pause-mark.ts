/** GitLab refuses a note of more code points. */
const mostCharacters = 1024;
const marks =
  /(?:^|(?:\r?\n){1,2})hosted-runner-deploy: paused by run \S+ at \S+\. Do not resume by hand\.[ \t]*(?=\r?\n|$)/g;

/**
 * A runner's note with one more line, which names the run that pauses the runner. Undefined if GitLab would
 * refuse the note.
 */
export function withPauseMark(
  note: string,
  { run, at }: { readonly run: string; readonly at: string },
): string | undefined {
  const mark = `hosted-runner-deploy: paused by run ${run} at ${at}. Do not resume by hand.`;
  // GitLab renders the note as Markdown: without an empty line, the mark would continue the paragraph before it.
  const marked = `${withoutPauseMark(note)}\n\n${mark}`;
  return [...marked].length > mostCharacters ? undefined : marked;
}

/** The note as it was before the pause, with whatever else was written into it since. */
export function withoutPauseMark(note: string): string {
  return note.replace(marks, '');
}
