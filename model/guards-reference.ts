import { guards } from '../src/domain/deployment/guards/guard-catalogue.ts';

const introduction = `# Guards

<!-- Made from src/domain/deployment/guards/guard-catalogue.ts by \`npm run generate\`. -->

What is proven before anything is touched. A guard that refuses, or that cannot be asked, ends the
run before the effect that it stands in front of. \`junit.xml\` has a case for each guard that a run
asked, with its last answer; the [evidence file](../operate/evidence.md) has every answer. For each of them
\`test/guards\` has a world in which it alone stands between a command and harm.

| guard | lets pass when | refuses with |
| --- | --- | --- |
`;

/** docs/understand/guards.md. */
export function renderGuards(): string {
  const rows = Object.entries(guards).map(([name, { holds, codes }]) => {
    const errors = codes.map((code) => `[${code}](../troubleshooting.md#${code.toLowerCase()})`);
    return `| \`${name}\` | ${holds} | ${errors.join(', ')} |`;
  });
  return `${introduction}${rows.join('\n')}\n`;
}
