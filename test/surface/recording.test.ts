import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createSend } from '../../src/adapters/transport/send.ts';
import { openRecording } from '../../src/app/open-recording.ts';
import { commandNames } from '../../src/cli/commands/command-table.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(command: string, file: string) {
  return openRecording({
    command,
    file,
    redact: (text) => text,
    send: createSend(),
    writeError: () => {},
  });
}

test('every command with network calls records, and no other command opens the file', () => {
  const unrecorded = commandNames.filter(
    (command) => open(command, join(folder, command)) === undefined,
  );
  expect(unrecorded).toEqual([
    'init',
    'check-document',
    'explain',
    'completion',
    'verify',
    'replay',
    'sandbox',
    'version',
    'help',
  ]);
  const opened = commandNames.filter((command) => !unrecorded.includes(command));
  expect(readdirSync(folder).sort()).toEqual([...opened].sort());
});

test('an invalid path is refused with the name of its variable', () => {
  expect(() => open('status', 'a\nb')).toThrow('HOSTED_RUNNER_RECORD "a\\nb" is not a path.');
});
