import { guards } from '../src/domain/deployment/guards/guard-catalogue.ts';

const introduction = `# Guards

<!-- Made from src/domain/deployment/guards/guard-catalogue.ts by \`npm run generate\`. -->

A guard checks a condition before an effect. If it refuses or cannot be checked, the run ends
before that effect. \`junit.xml\` has a case for each checked guard, and the
[evidence file](../operate/evidence.md) has every result. \`test/guards\` has a stack for each guard
in which only this guard prevents harm.

| guard | condition | error |
| --- | --- | --- |
`;

/** Renders docs/reference/guards.md. */
export function renderGuards(): string {
  const rows = Object.entries(guards).map(([name, { holds, codes }]) => {
    const errors = codes.map((code) => `[${code}](../troubleshooting.md#${code.toLowerCase()})`);
    return `| \`${name}\` | ${holds} | ${errors.join(', ')} |`;
  });
  return `${introduction}${rows.join('\n')}\n`;
}
