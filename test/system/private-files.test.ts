import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openEventFile, openRecordFile } from '../../src/adapters/system/event-file-writer.ts';
import { refuseLinks, replaceOwn } from '../../src/adapters/system/private-files.ts';
import { writeReportFolder } from '../../src/adapters/system/report-folder.ts';
import { openFolder } from '../../src/cli/starting/folder.ts';

const customers = 'written by another job\n';
const link = 'it leads through a symbolic link';
let folder: string;
let foreign: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'own-files-')));
  mkdirSync(join(folder, 'elsewhere'));
  foreign = join(folder, 'elsewhere', 'file');
  writeFileSync(foreign, customers);
});
afterEach(() => {
  expect(readFileSync(foreign, 'utf8')).toBe(customers);
  rmSync(folder, { recursive: true, force: true });
});

const opening = {
  shown: 'the file',
  onLost: () => {
    throw new Error('lost');
  },
};

describe('a symbolic link in place of a file that hosted-runner writes', () => {
  test('causes an error for an event file', () => {
    symlinkSync(foreign, join(folder, 'evidence.jsonl'));
    expect(() => openEventFile(join(folder, 'evidence.jsonl'), opening)).toThrow(
      expect.objectContaining({
        code: 'EvidenceUnwritable',
        exitCode: 2,
        fields: expect.objectContaining({
          what: `The evidence cannot be written to the file (${link}).`,
        }),
      }),
    );
  });

  test('ends an event file if the link appears while the command runs', () => {
    const path = join(folder, 'evidence.jsonl');
    const reasons: string[] = [];
    const write = openEventFile(path, { shown: path, onLost: (reason) => reasons.push(reason) });
    write('{"n":1}');
    rmSync(path);
    symlinkSync(foreign, path);
    write('{"n":2}');
    expect(reasons).toEqual([link]);
  });

  test('causes an error for a recording, even if the target does not exist', () => {
    symlinkSync(join(folder, 'absent'), join(folder, 'recording.jsonl'));
    expect(() => openRecordFile(join(folder, 'recording.jsonl'), opening)).toThrow(
      expect.objectContaining({ code: 'RecordUnwritable' }),
    );
    expect(lstatSync(join(folder, 'absent'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('causes an error for a report, and is removed as the name of its draft', () => {
    for (const name of ['junit.xml', 'junit.xml.new']) symlinkSync(foreign, join(folder, name));
    expect(() => writeReportFolder(folder, [{ name: 'junit.xml', text: '<a/>' }])).toThrow(
      expect.objectContaining({ code: link }),
    );
    rmSync(join(folder, 'junit.xml'));
    writeReportFolder(folder, [{ name: 'junit.xml', text: '<a/>' }]);
    expect(lstatSync(join(folder, 'junit.xml')).isFile()).toBe(true);
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toBe('<a/>');
  });

  test('causes an error for a report folder', () => {
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'reports'));
    expect(() =>
      writeReportFolder(join(folder, 'reports'), [{ name: 'file', text: 'ours' }]),
    ).toThrow(expect.objectContaining({ code: link }));
  });

  test.each([true, false])(
    'protects a configuration from a write (overwrite: %s)',
    async (overwrite) => {
      symlinkSync(foreign, join(folder, 'hosted-runners.yml'));
      const written = openFolder(folder)
        .write({ path: 'hosted-runners.yml', text: 'ours', overwrite })
        .catch(({ code }) => code);
      expect(await written).toBe(overwrite ? link : false);
    },
  );
});

describe('the check for symbolic links', () => {
  test('refuses a link in any part of a path below the working directory', () => {
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'linked'));
    expect(() => refuseLinks('linked/deep/file', folder)).toThrow(`${join(folder, 'linked')} is a`);
    expect(() => refuseLinks(join(folder, 'linked', 'file'), folder)).toThrow('symbolic link');
    expect(() => refuseLinks('./elsewhere/../linked/./file', folder)).toThrow('symbolic link');
  });

  test('follows a folder outside the working directory that the operator named', () => {
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'linked'));
    mkdirSync(join(folder, 'cwd'));
    expect(() => refuseLinks('../linked/other', join(folder, 'cwd'))).not.toThrow();
    expect(() => refuseLinks('../linked', join(folder, 'cwd'))).toThrow('symbolic link');
  });

  test('accepts the links of the system, such as /dev/stderr', () => {
    expect(() => refuseLinks('/dev/stderr')).not.toThrow();
  });

  test('replaces a draft that a killed run left', () => {
    writeFileSync(join(folder, 'junit.xml.new'), 'half');
    replaceOwn(join(folder, 'junit.xml'), 'whole');
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toBe('whole');
  });
});
