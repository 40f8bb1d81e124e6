/** Lists the commands at the ends of lines, with the variables before them. */
export function commandsIn(lines: readonly string[]): string[] {
  return lines.flatMap(
    (line) =>
      /(?:\b[A-Z_]+=\S+ )?\bhosted-runner (?:[a-z][^`]*[^.`]|--help)$/.exec(line)?.[0] ?? [],
  );
}

/** Lists other texts to type or paste: a flag, a variable, another program's command. */
export function othersIn(lines: readonly string[]): string[] {
  return lines.flatMap(
    (line) =>
      /(?:^|: )((?:[A-Z_]+=\S+ )?(?:export|unset|aws|terraform|tofu|--[a-z-]+) .+)$/.exec(
        line,
      )?.[1] ?? [],
  );
}

/** Lists the AWS CLI's lines in a page or text, including continued lines. */
export function awsLinesIn(text: string): string[] {
  const bare = [...text.matchAll(/^aws (?:[^\n]*\\\n)*[^\n]*$/gm)].map(([line]) => line);
  const inline = [
    ...text.matchAll(/`(aws [^`\n]+)`|[:,] (aws [a-z0-9]+ [a-z-]+(?: (?:'[^']*'|[^\s,'`|]+))+)/g),
  ].map(([, quoted, loose]) => (quoted ?? loose ?? '').replace(/[.;]$/, ''));
  return [...bare, ...inline];
}
