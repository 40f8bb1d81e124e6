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
  test('is for its owner only and keeps what was there', () => {
    const file = join(folder, 'deep', 'events.jsonl');
    open(file).write('{"n":1}');
    open(file).write('{"n":2}');
    expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":2}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that cannot be written is refused before anything is done', () => {
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

  test('that can no longer be written says so once, ends there and stops nobody', () => {
    const file = join(folder, 'events.jsonl');
    const { write, lost } = open(file);
    write('{"n":1}');
    rmSync(file);
    // A folder of that name is as good as a full disk: no line can be written.
    mkdirSync(file);
    write('{"n":2}');
    rmSync(file, { recursive: true });
    write('{"n":3}');
    expect(lost).toEqual(['EISDIR']);
    expect(() => statSync(file)).toThrow(/ENOENT/);
  });
});

describe('the file of a recording', () => {
  function refused(path: string): DeployError['fields'] {
    try {
      openRecordFile(path, { shown: path, onLost: () => {} });
    } catch (error) {
      if (error instanceof DeployError) return error.fields;
      throw error;
    }
    throw new Error('it was opened');
  }

  test('is for its owner only and keeps what was there', () => {
    const file = join(folder, 'deep', 'recording.jsonl');
    for (const line of ['1', '2']) openRecordFile(file, { shown: file, onLost: () => {} })(line);
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that cannot be written, or is no file, is refused before anything is done', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(join(folder, 'file'), '');
    for (const [path, reason] of [
      [pipe, 'it is no file'],
      [folder, 'it is no file'],
      ['/dev/null', 'it is no file'],
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
