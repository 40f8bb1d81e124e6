import { timeOf } from '../src/domain/health/diagnose.ts';
import { type DiagnosisEntry, diagnosisCodes } from '../src/domain/health/diagnosis.ts';
import { diagnoses, nextOf } from '../src/domain/health/diagnosis-catalogue.ts';
import { inTerms, type RegistryTerms } from '../src/domain/registry-terms.ts';
import { capital } from '../src/domain/text/capital.ts';
import type { Line } from '../src/domain/text/line-to-type.ts';
import { commandOf } from '../src/errors/fix-line.ts';

const introduction = `# Why a candidate does not become healthy

<!-- Made from src/domain/health/diagnosis-catalogue.ts by \`npm run generate\`. -->

At the deadline of the healthcheck the error says which evidence was reached, which is missing, how
the hosts' logs end, and what it takes for the cause: one of these. Most likely first; several can be
true at once. \`HealthcheckTimedOut\` quotes what gave the cause away.

`;

const times: Readonly<Record<DiagnosisEntry['time'], string>> = {
  may_help: 'may help',
  cannot_help: 'cannot help',
};

/** docs/operate/diagnosis.md. */
export function renderDiagnoses(words: RegistryTerms): string {
  const sections = diagnosisCodes.map((code) => {
    const entry = diagnoses[code];
    const { title, signs, because } = entry;
    const time = timeOf(code, words);
    return [
      `## ${code}`,
      '',
      `${capital(title)}.`,
      '',
      `- Signs: ${signs}`,
      `- Waiting longer ${times[time]}: ${because}.`,
      ...nextOf(entry, 'linux').map((line) => `- ${shown(line)}`),
      '',
    ].join('\n');
  });
  return inTerms(`${introduction}${sections.join('\n')}`, words);
}

function shown(line: Line): string {
  if (typeof line === 'string') return filled(line);
  return `${filled(line.say ?? '')}: \`${commandOf(line, undefined)}\``;
}

function filled(text: string): string {
  return text.replaceAll('{runner}', 'linux').replaceAll('{shard}', 'pink');
}
