import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { replayFile } from '../../src/cli/replay-command.ts';
import { openFolder } from '../../src/cli/starting/folder.ts';
import { record } from '../recording/recorded.ts';
import { json } from '../transport/fake-server.ts';
import { type } from './commanding.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'replay-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function replay(file: string, asJson = false) {
  let written = '';
  const write = (text: string) => {
    written += text;
  };
  const exit = await replayFile({ file, json: asJson }, { folder: openFolder(root), write });
  return { exit, written };
}

const runner = {
  id: 48213,
  description: 'pink-linux',
  ip_address: null,
  active: true,
  paused: false,
  is_shared: false,
  runner_type: 'group_type',
  name: null,
  online: true,
  status: 'online',
  tag_list: ['linux'],
  run_untagged: false,
  locked: false,
  maximum_timeout: null,
  access_level: 'not_protected',
  version: '18.7.0',
  revision: '535ced5f',
  platform: 'linux',
  architecture: 'amd64',
  contacted_at: null,
  maintenance_note: null,
  projects: [],
  groups: [],
};

async function recordingOf(answers: readonly Response[]): Promise<void> {
  const left = [json(200, { version: '18.0.2-ee' }), ...answers];
  const requests = ['metadata', ...answers.map(() => 'runners/48213')].map((url) => ({ url }));
  const lines = await record(async () => left.shift() ?? new Response(), requests);
  writeFileSync(join(root, 'r.jsonl'), `${lines.join('\n')}\n`);
}

describe('replay', () => {
  test('reports the result of each response, and repeated ones once', async () => {
    await recordingOf([
      json(200, runner),
      json(200, { ...runner, paused: true }),
      json(200, { ...runner, mood: 'good' }),
      json(404, { message: '404 Not found' }),
      json(403, { message: 'Runner is busy' }),
    ]);
    const { exit, written } = await replay('r.jsonl');
    expect(exit).toBe(0);
    expect(written).toBe(`✔ line 2: GET /metadata 200
    differs from GitLab 18.0: fewer fields: revision, kas, enterprise
✔ line 3 and 1 more: GET /runners/:id 200
✔ line 5: GET /runners/:id 200
    differs from GitLab 18.0: more fields: mood
✔ line 6: GET /runners/:id 404
    is refused: 404 Not found
✔ line 7: GET /runners/:id 403
    is denied: Runner is …
    differs from GitLab 18.0: this version is not known to refuse in this way
1 run, 6 responses of GitLab 18.0.2-ee: 0 unreadable, 3 different from the known ones.
`);
  });

  test('ends with 3 if a response cannot be read', async () => {
    await recordingOf([json(200, { ...runner, paused: undefined })]);
    const { exit, written } = await replay('r.jsonl');
    expect(exit).toBe(3);
    expect(written).toContain(`✖ line 3: GET /runners/:id 200
    cannot be read: the registration: paused is missing, which this version does not support: `);
    expect(written).toMatch(
      /\n1 run, 2 responses of GitLab 18\.0\.2-ee: 1 unreadable, 2 different from the known ones\.\n$/,
    );
  });

  test('prints the result of each response with --json', async () => {
    await recordingOf([json(200, runner)]);
    const { written } = await replay('r.jsonl', true);
    expect(JSON.parse(written)).toMatchObject({
      runs: 1,
      versions: ['18.0.2-ee'],
      damage: [],
      answers: [{ line: 2 }, { line: 3, call: 'GET /runners/:id', outcome: 'read' }],
    });
  });
});

const record1 = 'Make a recording: HOSTED_RUNNER_RECORD=recording.jsonl hosted-runner status';

describe('an input of replay', () => {
  async function refusal(file: string) {
    const error = await replay(file).then(
      () => undefined,
      (thrown: { exitCode: number; fields: { what: string; why?: unknown; fix: string[] } }) =>
        thrown,
    );
    expect(error?.exitCode).toBe(2);
    const { what, why, fix } = error?.fields ?? { what: '', fix: [] };
    return { what, ...(why === undefined ? {} : { why: [why].flat().join(' ') }), fix };
  }

  test('causes an error if it is a missing file', async () => {
    expect(await refusal('no.jsonl')).toEqual({
      what: 'There is no file no.jsonl.',
      fix: [record1],
    });
  });

  test('causes an error if it is a folder', async () => {
    mkdirSync(join(root, 'folder'));
    expect(await refusal('folder')).toEqual({ what: 'folder is a folder.', fix: [record1] });
  });

  test('causes an error, without a wait, if it is a pipe', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await refusal('pipe')).toEqual({
      what: 'pipe is a pipe or a device, not a file.',
      fix: ['Write its output to a file: cat pipe > recording.jsonl'],
    });
  });

  test('causes an error if it is empty or another kind of file', async () => {
    writeFileSync(join(root, 'empty'), '');
    expect(await refusal('empty')).toEqual({
      what: 'empty is not a recording.',
      why: 'The file is empty.',
      fix: [record1],
    });
    writeFileSync(join(root, 'other'), 'hello\n');
    expect(await refusal('other')).toEqual({
      what: 'other is not a recording.',
      why: 'No line of it is a recorded one: line 1 is not a line of a recording.',
      fix: [record1],
    });
  });

  test('causes an error if it is a program or a picture', async () => {
    writeFileSync(join(root, 'binary'), Buffer.from([0x7f, 0x45, 0, 0x46, 0x0a]));
    expect(await refusal('binary')).toEqual({ what: 'binary is not a text file.', fix: [record1] });
  });

  test('causes an error if it exceeds the size of a recording', async () => {
    writeFileSync(join(root, 'huge'), '');
    truncateSync(join(root, 'huge'), 65 * 1024 * 1024);
    expect(await refusal('huge')).toEqual({
      what: 'huge is too large.',
      why: 'It has 65 MB; the limit is 64 MB.',
      fix: ['Keep its last lines: tail -n 20000 huge > recording.jsonl'],
    });
  });
});

test('the command accepts one file', async () => {
  const { reached } = await type(['replay', 'r.jsonl', '--json']);
  expect(reached).toEqual({ name: 'replay', options: { file: 'r.jsonl', json: true } });
  expect((await type(['replay'])).exit).toBe(2);
});
