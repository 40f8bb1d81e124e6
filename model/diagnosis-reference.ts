import { timeOf } from '../src/domain/health/diagnose.ts';
import { type DiagnosisEntry, diagnosisCodes } from '../src/domain/health/diagnosis.ts';
import { diagnoses, nextOf } from '../src/domain/health/diagnosis-catalogue.ts';
import { inTerms, type RegistryTerms } from '../src/domain/registry-terms.ts';
import { capital } from '../src/domain/text/capital.ts';
import type { Line } from '../src/domain/text/line-to-type.ts';
import { commandOf } from '../src/errors/fix-line.ts';
import { asSentences, typedAtTerminal } from './sentences.ts';

const introduction = `# Why a candidate does not become healthy

<!-- Made from src/domain/health/diagnosis-catalogue.ts by \`npm run generate\`. -->

At the deadline of the healthcheck, \`HealthcheckTimedOut\` shows the missing evidence, the end of the
hosts' logs, and the likely causes. This page lists all causes, most likely first; several can
apply. Each has signs, and the error quotes the one found. *The log* is the runner's log on the host. In
a cause's name, \`registry\` means GitLab or GitHub. Terms: [glossary](../understand/glossary.md).
At a terminal, \`recover\` prompts for the shard's name. In a job, add \`--yes\`.

`;

const times: Readonly<Record<DiagnosisEntry['time'], string>> = {
  may_help: 'may help',
  cannot_help: 'cannot help',
};

/** Renders docs/operate/diagnosis.md. */
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
      `- Waiting ${times[time]}. ${asSentences(inTerms(because, words))}`,
      ...nextOf(entry, 'linux').map((line) => `- ${shown(line)}`),
      '',
    ].join('\n');
  });
  return inTerms(`${introduction}${sections.join('\n')}`, words);
}

function shown(line: Line): string {
  if (typeof line === 'string') return filled(line);
  return `${filled(line.text ?? '')}: \`${commandOf(line, typedAtTerminal)}\``;
}

function filled(text: string): string {
  return text.replaceAll('{runner}', 'linux').replaceAll('{shard}', 'pink');
}
