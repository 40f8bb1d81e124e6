import { guards } from '../src/domain/deployment/guards/guard-catalogue.ts';

const introduction = `# Guards

<!-- Made from src/domain/deployment/guards/guard-catalogue.ts by \`npm run generate\`. -->

A guard checks a condition before an [effect](../understand/glossary.md#stacks-and-deployments). If
the condition does not hold or cannot be checked, the run ends before the effect. \`junit.xml\` and the
[evidence file](../operate/evidence.md) contain the results. For each guard, \`test/guards\` has
a stack in which only this guard prevents harm.

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
