/** A command stands at the end of its line, as it is typed: with what it sets for itself alone. */
export function commandsIn(lines: readonly string[]): string[] {
  return lines.flatMap(
    (line) =>
      /(?:\b[A-Z_]+=\S+ )?\bhosted-runner (?:[a-z][^`]*[^.`]|--help)$/.exec(line)?.[0] ?? [],
  );
}

/** What else stands there to be typed or pasted: a flag, a variable, another program's command. */
export function othersIn(lines: readonly string[]): string[] {
  return lines.flatMap(
    (line) =>
      /(?:^|: )((?:[A-Z_]+=\S+ )?(?:export|unset|aws|terraform|tofu|--[a-z-]+) .+)$/.exec(
        line,
      )?.[1] ?? [],
  );
}

/** Lines of the program of AWS, in a page or in a text: also those that a backslash goes on. */
export function awsLinesIn(text: string): string[] {
  const bare = [...text.matchAll(/^aws (?:[^\n]*\\\n)*[^\n]*$/gm)].map(([line]) => line);
  const inline = [
    ...text.matchAll(/`(aws [^`\n]+)`|[:,] (aws [a-z0-9]+ [a-z-]+(?: (?:'[^']*'|[^\s,'`|]+))+)/g),
  ].map(([, quoted, loose]) => (quoted ?? loose ?? '').replace(/[.;]$/, ''));
  return [...bare, ...inline];
}
