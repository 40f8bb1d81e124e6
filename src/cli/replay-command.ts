import { jsonDocument } from '../domain/output-schema.ts';
import { counted } from '../domain/text/count-text.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { printable } from '../domain/text/show.ts';
import { isDeployError } from '../errors/deploy-error.ts';
import { badUsage } from '../errors/input-errors.ts';
import { systemReason } from '../errors/system-reason.ts';
import { type Replay, type Replayed, replay } from '../recording/replay.ts';
import type { CommandExit, ReplayOptions } from './handler-types.ts';
import type { CommandSurroundings } from './validate-command.ts';

/** Size limit. A drain of days stays below it; a larger file is no recording or must be cut. */
const mostBytes = 64 * 1024 * 1024;

const marks = { read: '✔', unread: '✖', refused: '✔', not_asked: '·', failed: '·' } as const;

/** Parses recorded responses again without requests. Exit code 3 if one cannot be parsed. */
export async function replayFile(
  { file, json }: ReplayOptions,
  surroundings: Pick<CommandSurroundings, 'folder' | 'write'>,
): Promise<CommandExit> {
  const replayed = replay(await readText(file, surroundings));
  const { runs, answers, damage } = replayed;
  if (runs === 0 && answers.length === 0) {
    const why =
      damage.length === 0 ? 'The file is empty.' : `No line of it is a recorded one: ${damage[0]}.`;
    throw unreadable(`${printable(file)} is not a recording.`, why);
  }
  surroundings.write(json ? jsonDocument(replayed) : render(replayed));
  return answers.some(({ outcome }) => outcome === 'unread') ? 3 : 0;
}

async function readText(
  file: string,
  { folder }: Pick<CommandSurroundings, 'folder'>,
): Promise<string> {
  const shown = printable(file);
  try {
    const found = await folder.check(file);
    if (found === undefined) throw unreadable(`There is no file ${shown}.`);
    if (found.kind === 'directory') throw unreadable(`${shown} is a folder.`);
    if (found.kind === 'other') {
      throw unreadable(`${shown} is a pipe or a device, not a file.`, undefined, [
        inShell`Write its output to a file: cat ${file} > recording.jsonl`,
      ]);
    }
    if (found.bytes > mostBytes) {
      const why = `It has ${Math.ceil(found.bytes / 1024 / 1024)} MB; the limit is 64 MB.`;
      throw unreadable(`${shown} is too large.`, why, [
        inShell`Keep its last lines: tail -n 20000 ${file} > recording.jsonl`,
      ]);
    }
    const text = (await folder.read(file)) ?? '';
    if (text.includes('\u0000')) throw unreadable(`${shown} is not a text file.`);
    return text;
  } catch (error) {
    if (isDeployError(error)) throw error;
    throw unreadable(`${shown} cannot be read (${systemReason(error)}).`);
  }
}

function unreadable(what: string, why?: string, fix: readonly string[] = []) {
  const usual = {
    text: 'Make a recording',
    command: 'status',
    variable: 'HOSTED_RUNNER_RECORD=recording.jsonl',
  };
  return badUsage({
    what,
    ...(why === undefined ? {} : { why }),
    fix: fix.length > 0 ? fix : [usual],
  });
}

function render({ runs, versions, answers, damage }: Replay): string {
  const count = (wanted: (answer: Replayed) => boolean) => answers.filter(wanted).length;
  const whose = versions.length === 0 ? '' : ` of GitLab ${versions.join(', ')}`;
  return [
    ...grouped(answers).map(renderGroup),
    ...damage.map((text) => `! ${text}`),
    [
      `${counted(runs, 'run')}, ${counted(answers.length, 'response')}${whose}:`,
      `${count(({ outcome }) => outcome === 'unread')} unreadable,`,
      `${count(({ differences }) => differences.length > 0)} different from the known ones.`,
    ].join(' '),
    '',
  ].join('\n');
}

/** Groups equal responses with equal results. The first line number is shown. */
function grouped(answers: readonly Replayed[]): readonly (readonly Replayed[])[] {
  const groups = new Map<string, Replayed[]>();
  for (const answer of answers) {
    const { line, ...rest } = answer;
    const same = JSON.stringify(rest);
    groups.set(same, [...(groups.get(same) ?? []), answer]);
  }
  return [...groups.values()];
}

function renderGroup(group: readonly Replayed[]): string {
  const [first] = group;
  if (first === undefined) return '';
  const { line, call, status, outcome, detail, differences, against } = first;
  const more = group.length === 1 ? '' : ` and ${group.length - 1} more`;
  const head = `${marks[outcome]} line ${line}${more}: ${call}${status === undefined ? '' : ` ${status}`}`;
  const counts = {
    read: '',
    unread: `    cannot be read: ${detail}`,
    refused: `    is ${detail}`,
    not_asked: `    ${detail}`,
    failed: `    got no response: ${detail}`,
  }[outcome];
  const unlike = differences.map((text) => `    differs from GitLab ${against}: ${text}`);
  return [head, ...(counts === '' ? [] : [counts]), ...unlike].join('\n');
}
