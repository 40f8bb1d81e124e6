import { findingCodes, findingEntries } from '../src/domain/doctor/catalogue.ts';
import type { FindingEntry } from '../src/domain/doctor/finding.ts';
import { inTerms, type RegistryTerms } from '../src/domain/registry-terms.ts';
import { capital } from '../src/domain/text/capital.ts';
import type { CommandToType } from '../src/domain/text/line-to-type.ts';
import { commandOf } from '../src/errors/fix-line.ts';

const begin = '<!-- Made from src/domain/doctor/catalogue.ts by `npm run generate`. -->';
const end = '<!-- End of what is made. -->';

/** The runbook with its part from the catalogue of findings written anew. */
export function renderRunbook(runbook: string, words: RegistryTerms): string {
  const [before, rest] = runbook.split(begin);
  const [, after] = (rest ?? '').split(end);
  if (before === undefined || after === undefined)
    throw new Error('docs/operate/runbook.md has no place for the findings');
  const made = inTerms(`${bySymptom()}\n${byFinding()}`, words);
  return `${before}${begin}\n\n${made}${end}${after}`;
}

function bySymptom(): string {
  const rows = findingCodes.flatMap((code) => {
    const { symptom, commands, byHand } = findingEntries[code];
    if (symptom === undefined) return [];
    const lines = commands.map((command) => `\`${typed(command)}\``).join(', then ');
    const hand = byHand === undefined ? '' : `${filled(byHand)}${lines === '' ? '' : '; then '}`;
    return [`| ${symptom} | ${hand}${lines} | [${code}](#${code}) |`];
  });
  return ['| you see | do | doctor says |', '| --- | --- | --- |', ...rows, ''].join('\n');
}

function byFinding(): string {
  return findingCodes.map((code) => section(code, findingEntries[code])).join('\n');
}

function section(code: string, { title, because, commands, byHand }: FindingEntry): string {
  return [
    `### ${code}`,
    '',
    `${capital(title)}: ${because}.`,
    '',
    ...(byHand === undefined ? [] : [`${filled(byHand)}.`, '']),
    ...(commands.length === 0 ? [] : ['```sh', ...commands.map(typed), '```', '']),
  ].join('\n');
}

/** As whoever has one stack in the usual file types it. */
function typed(command: CommandToType): string {
  return filled(commandOf({ ...command, runner: 'linux' }, undefined));
}

function filled(text: string): string {
  return text
    .replaceAll('{shard}', 'pink')
    .replaceAll('--name {id}', '--name /gitlab/dedicated/runner/linux/deployment_record')
    .replaceAll('{id}', 'i-0abc0123456789def');
}
