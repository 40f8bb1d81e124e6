import { jsonDocument } from '../domain/output-schema.ts';
import { counted } from '../domain/text/count-text.ts';
import { printable } from '../domain/text/show.ts';
import { badUsage } from '../errors/input-errors.ts';
import { systemReason } from '../errors/system-reason.ts';
import { type InvariantFinding, invariants } from '../verify/judge.ts';
import { type Verification, verifyEventFile } from '../verify/verify.ts';
import type { CommandExit, VerifyOptions } from './handler-types.ts';
import type { CommandSurroundings } from './validate-command.ts';

const marks = { held: '✔', violated: '✖', 'not decidable': '·' } as const;

/** Verifies the files as one deployment without requests. Exit code 3 for a violated invariant. */
export async function verifyFiles(
  { files, json }: VerifyOptions,
  { folder, write }: Pick<CommandSurroundings, 'folder' | 'write'>,
): Promise<CommandExit> {
  const texts: string[] = [];
  for (const path of files) {
    const text = await folder.read(path).catch((error: unknown) => {
      throw unreadable(`${printable(path)} cannot be read (${systemReason(error)}).`);
    });
    if (text === undefined) throw unreadable(`There is no file ${printable(path)}.`);
    texts.push(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }
  const verification = verifyEventFile(texts.join(''));
  if (verification.runs === 0) throw unreadable(`${files.join(', ')} has no line of evidence.`);
  write(json ? jsonDocument(toJson(verification)) : render(verification));
  return verification.findings.some(({ outcome }) => outcome === 'violated') ? 3 : 0;
}

function toJson({ findings, ...rest }: Verification) {
  const named = findings.map(({ outcome, ...finding }) => ({
    ...finding,
    outcome: outcome.replaceAll(' ', '_'),
  }));
  return { findings: named, ...rest };
}

function unreadable(what: string) {
  return badUsage({
    what,
    fix: [{ text: 'Show its arguments', command: 'verify --help', isAlone: true }],
  });
}

function render({ findings, runs, lines, damage }: Verification): string {
  const count = (outcome: InvariantFinding['outcome']) =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const results = [
    `${count('held')} held`,
    `${count('violated')} violated`,
    `${count('not decidable')} not decidable from this file`,
  ];
  return [
    ...findings.flatMap(renderFinding),
    ...damage.map((text) => `! ${text}`),
    `${counted(runs, 'run')}, ${counted(lines, 'line')}: ${results.join(', ')}.`,
    '',
  ].join('\n');
}

const mostReasons = 5;

function renderFinding({ invariant, outcome, reasons }: InvariantFinding): string[] {
  const line = `${marks[outcome]} ${invariant.padEnd(4)}${invariants[invariant]}`;
  const more = reasons.length - mostReasons;
  const shown = [...reasons.slice(0, mostReasons), ...(more > 0 ? [`and ${more} more`] : [])];
  return [line, ...shown.map((reason) => `       ${reason}`)];
}
