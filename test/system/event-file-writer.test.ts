import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openEventFile, openRecordFile } from '../../src/adapters/system/event-file-writer.ts';
import { DeployError } from '../../src/errors/deploy-error.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'evidence-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(path: string) {
  const lost: string[] = [];
  const write = openEventFile(path, { shown: path, onLost: (reason) => lost.push(reason) });
  return { write, lost };
}

function refusalOf(path: string): DeployError['fields'] {
  try {
    open(path);
  } catch (error) {
    if (error instanceof DeployError) return error.fields;
    throw error;
  }
  throw new Error('it was opened');
}

describe('an event file', () => {
  test('keeps its contents, and is readable for its owner only', () => {
    const file = join(folder, 'deep', 'events.jsonl');
    open(file).write('{"n":1}');
    open(file).write('{"n":2}');
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('causes an error before any action if it cannot be written', () => {
    writeFileSync(join(folder, 'file'), '');
    const under = join(folder, 'file', 'events.jsonl');
    expect(refusalOf(under)).toMatchObject({
      code: 'EvidenceUnwritable',
      exitCode: 2,
      what: expect.stringContaining(under),
    });
    expect(refusalOf('/proc/none/events.jsonl').what).toContain('(ENOENT)');
    expect(refusalOf(folder)).toMatchObject({
      code: 'EvidenceUnwritable',
      what: expect.stringContaining('(EISDIR)'),
    });
  });

  test('causes one warning and ends there if it can no longer be written, and the run continues', () => {
    const file = join(folder, 'events.jsonl');
    const { write, lost } = open(file);
    write('{"n":1}');
    rmSync(file);
    // A folder in place of the file acts like a full disk: no line can be written.
    mkdirSync(file);
    write('{"n":2}');
    rmSync(file, { recursive: true });
    write('{"n":3}');
    expect(lost).toEqual(['EISDIR']);
    expect(() => statSync(file)).toThrow(/ENOENT/);
  });
});

describe('a recording file', () => {
  function refused(path: string): DeployError['fields'] {
    try {
      openRecordFile(path, { shown: path, onLost: () => {} });
    } catch (error) {
      if (error instanceof DeployError) return error.fields;
      throw error;
    }
    throw new Error('it was opened');
  }

  test('keeps its contents, and is readable for its owner only', () => {
    const file = join(folder, 'deep', 'recording.jsonl');
    for (const line of ['1', '2']) openRecordFile(file, { shown: file, onLost: () => {} })(line);
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('causes an error before any action if it cannot be written or is not a file', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(join(folder, 'file'), '');
    for (const [path, reason] of [
      [pipe, 'it is not a file'],
      [folder, 'it is not a file'],
      ['/dev/null', 'it is not a file'],
      [join(folder, 'file', 'recording.jsonl'), 'ENOTDIR'],
      ['/proc/none/recording.jsonl', 'ENOENT'],
    ] as const) {
      expect(refused(path)).toMatchObject({
        code: 'RecordUnwritable',
        exitCode: 2,
        what: `The recording cannot be written to ${path} (${reason}).`,
        now: 'Nothing was touched.',
      });
    }
  });
});
