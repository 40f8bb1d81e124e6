import { findingCodes, findingEntries } from '../src/domain/doctor/catalogue.ts';
import type { FindingEntry } from '../src/domain/doctor/finding.ts';
import { inTerms, type RegistryTerms } from '../src/domain/registry-terms.ts';
import { capital } from '../src/domain/text/capital.ts';
import type { CommandToType } from '../src/domain/text/line-to-type.ts';
import { commandOf } from '../src/errors/fix-line.ts';
import { asSentences, typedAtTerminal } from './sentences.ts';

/** Renders docs/reference/findings.md. */
export function renderFindings(words: RegistryTerms): string {
  const sections = findingCodes.map((code) => section(code, findingEntries[code]));
  return inTerms(
    [introduction, bySymptom(), '## Reasons and commands\n', ...sections].join('\n'),
    words,
  );
}

const introduction = `# Symptoms and findings

<!-- Generated from src/domain/doctor/catalogue.ts by \`npm run generate\`. -->

\`hosted-runner doctor\` prints each finding with observed values and commands. This page lists
all findings in the order of repair. \`linux\` is your stack, \`pink\` a shard. At a terminal,
\`recover\` prompts for the shard's name and \`doctor --fix\` for \`yes\`. In a job, add \`--yes\`.

## By symptom
`;

function bySymptom(): string {
  const rows = findingCodes.flatMap((code) => {
    const { symptom, commands, byHand } = findingEntries[code];
    if (symptom === undefined) return [];
    const lines = commands.map((command) => `\`${typed(command)}\``).join(', then ');
    const first = byHand === undefined ? '' : filled(byHand);
    const then = first === '' || lines === '' ? '' : '. Then ';
    return [`| ${capital(symptom)} | ${first}${then}${lines} | [${code}](#${code}) |`];
  });
  return ['| symptom | action | finding |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

function section(code: string, { title, because, commands, byHand }: FindingEntry): string {
  return [
    `### ${code}`,
    '',
    `${capital(title)}. ${asSentences(because)}`,
    '',
    ...(byHand === undefined ? [] : [`${filled(byHand)}.`, '']),
    ...(commands.length === 0 ? [] : ['```sh', ...commands.map(typed), '```', '']),
  ].join('\n');
}

/** Formats a command for one stack in the default file. */
function typed(command: CommandToType): string {
  return filled(commandOf({ ...command, runner: 'linux' }, typedAtTerminal));
}

function filled(text: string): string {
  return text
    .replaceAll('{shard}', 'pink')
    .replaceAll('--name {id}', '--name /gitlab/dedicated/runner/linux/deployment_record')
    .replaceAll('{id}', 'i-0abc0123456789def');
}
