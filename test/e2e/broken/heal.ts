import { expect } from '@jest/globals';
import type { Patient } from './patient.ts';
import type { Row } from './row.ts';

interface Diagnosis {
  readonly code: string;
  readonly seen: string;
  readonly commands: readonly string[];
  readonly by_hand?: string;
}

export interface Story {
  readonly first: string;
  readonly ends: 'healthy' | 'person';
  /** Each diagnosis with its commands, and how each of these ended. */
  readonly told: readonly string[];
  readonly typed: readonly string[];
}

async function examine(patient: Patient, env: Readonly<Record<string, string>>) {
  const end = await patient.command(['doctor', '--runner', 'linux', '--json'], { env });
  expect({ text: end.stderr, exitCode: end.exitCode }).toEqual({ text: '', exitCode: 0 });
  const { stacks } = JSON.parse(end.stdout) as { stacks: { findings: Diagnosis[] }[] };
  const [first] = stacks[0]?.findings ?? [];
  if (first === undefined) throw new Error(`doctor knows nothing: ${end.stdout}`);
  return first;
}

/** Types what doctor prints, one after another, until it says healthy or a person has to look. */
export async function heal<P extends Patient>(
  patient: P,
  { byHand, env, set = [] }: Row<P>,
): Promise<Story> {
  const told: string[] = [];
  const typed: string[] = [];
  let first: string | undefined;
  let around = env?.(patient) ?? {};
  for (let round = 0; round < 6; round += 1) {
    const found = await examine(patient, around);
    first ??= found.code;
    told.push(`${found.code}: ${found.seen}`);
    if (found.code === 'healthy') return { first, ends: 'healthy', told, typed };
    const commands = found.commands.filter((command) => !/ doctor --runner \w+$/.test(command));
    if (found.by_hand !== undefined && byHand !== undefined) {
      await byHand(patient);
      around = {};
    } else if (commands.length === 0) return { first, ends: 'person', told, typed };
    for (const command of commands) {
      const [, ...words] = command.split(' ');
      const end = await patient.command(words, { set, env: around });
      typed.push(command);
      told.push(`$ ${command} ▶ ${end.exitCode}${end.exitCode === 0 ? '' : `\n${end.stderr}`}`);
      if (end.exitCode === 3) return { first, ends: 'person', told, typed };
      if (end.exitCode !== 0) break;
    }
  }
  throw new Error(`never healthy:\n${told.join('\n')}`);
}
