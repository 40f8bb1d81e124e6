import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Ended, root, runProgram } from '../../support/program.ts';

/**
 * The stack's name is a token's value, so each text with the name contains a secret without a
 * token's shape. No adapter masks it earlier: only the program's own wiring does.
 */
const secret = 'battery-staple';

/** GitLab and AWS that refuse each request, and a GitHub with the workflow run. */
const server = createServer(({ url: path = '' }, response) => {
  const isRun = path.includes('/actions/runs/');
  response.writeHead(isRun ? 200 : 401, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(
      isRun
        ? { id: 7, status: 'in_progress', created_at: '2026-11-02T10:00:00Z' }
        : { message: `401 Unauthorized for ${secret}` },
    ),
  );
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leaving-'));
  const example = readFileSync(join(root, 'examples/hosted-runners.yml'), 'utf8');
  writeFileSync(
    join(folder, 'hosted-runners.yml'),
    example.replace('\n  linux:\n', `\n  ${secret}:\n`),
  );
  mkdirSync(join(folder, 'reports'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runProgram({
    args,
    cwd: folder,
    env: {
      HOSTED_RUNNER_CONFIG: join(folder, 'hosted-runners.yml'),
      HOSTED_RUNNER_GITLAB_URL: url,
      HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-not-a-real-token',
      HOSTED_RUNNER_WEBHOOK_TOKEN: secret,
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'not-a-real-secret',
      AWS_ENDPOINT_URL: url,
      ...env,
    },
  });
}

function expectMasked(texts: Readonly<Record<string, string>>): void {
  for (const [from, text] of Object.entries(texts)) {
    expect({ from, masked: text.includes('[MASKED]') }).toEqual({ from, masked: true });
    expect({ from, line: text.split('\n').find((line) => line.includes(secret)) }).toEqual({
      from,
      line: undefined,
    });
  }
}

function filesIn(path: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(path).map((name) => [name, readFileSync(join(path, name), 'utf8')]),
  );
}

const stack = ['--runner', secret];

describe('a secret that a text repeats', () => {
  test('stays masked in the log, in the error and in each report of a stage', async () => {
    const reports = join(folder, 'reports');
    const { stdout, stderr, exitCode } = await run(['shutdown', ...stack], {
      HOSTED_RUNNER_REPORT_DIR: reports,
    });
    expect(exitCode).toBe(1);
    const { 'deployment.env': outputs, 'annotations.json': links, ...others } = filesIn(reports);
    expect(Object.keys(others).sort()).toEqual(['evidence.jsonl', 'junit.xml', 'timeline.html']);
    expectMasked({ stdout, stderr, ...others });
    expect(`${outputs}${links}`).not.toContain(secret);
    expect(outputs).toContain('HOSTED_RUNNER_OUTCOME=failed\n');
  });

  test('stays masked in the log of a GitLab job, which closes its section', async () => {
    const { stdout } = await run(['shutdown', ...stack], {
      GITLAB_CI: 'true',
      CI: 'true',
      CI_PIPELINE_ID: '101',
      CI_PIPELINE_IID: '11',
      CI_PIPELINE_CREATED_AT: '2026-11-02T10:00:00Z',
      CI_PROJECT_ID: '7',
      CI_JOB_ID: '1',
      CI_SERVER_URL: url,
    });
    expect(stdout.match(/section_(?:start|end)/g)).toEqual(['section_start', 'section_end']);
    expectMasked({ stdout });
  });

  test('stays masked in each event on standard output', async () => {
    const { stdout, stderr } = await run(['shutdown', ...stack, '--json']);
    expectMasked({ stdout, stderr });
    const events = stdout.trim().split('\n');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ kind: 'end', outcome: 'error' });
  });

  test('stays masked in a refusal, as text and as JSON', async () => {
    const { stdout, stderr, exitCode } = await run(['explain', secret, '--json']);
    expect(exitCode).toBe(2);
    expectMasked({ stdout, stderr });
  });

  test.each([
    ['status', ['status']],
    ['doctor', ['doctor']],
    ['status --json', ['status', ...stack, '--json']],
    ['doctor --json', ['doctor', ...stack, '--json']],
    ['finalize --all', ['finalize', '--all']],
    ['finalize --all --json', ['finalize', '--all', '--json']],
  ])('stays masked in the output of %s', async (_, args) => {
    const { stdout, stderr } = await run(args);
    expectMasked({ output: `${stdout}${stderr}` });
    expect(`${stdout}${stderr}`).not.toContain(secret);
  });

  test('stays masked in each line that finalize prints for several stacks', async () => {
    const { stdout } = await run(['finalize', '--all', '--verbose']);
    const lines = stdout.trim().split('\n').slice(0, -1);
    expect(new Set(lines.map((line) => line.split(' | ')[0]))).toEqual(
      new Set(['[MASKED]', 'linux-large']),
    );
  });

  test.each([
    ['validate', ['validate']],
    ['validate --json', ['validate', '--json']],
  ])('stays masked in the output of %s without a request', async (_, args) => {
    const { stdout, stderr } = await run(args);
    expectMasked({ output: `${stdout}${stderr}` });
  });

  test('stays masked in recorded responses, even if it equals a text of GitLab', async () => {
    const file = join(folder, 'recording.jsonl');
    const recorded = async (token: string) => {
      rmSync(file, { force: true });
      await run(['shutdown', ...stack], {
        HOSTED_RUNNER_RECORD: file,
        HOSTED_RUNNER_WEBHOOK_TOKEN: token,
      });
      return readFileSync(file, 'utf8');
    };
    const text = await recorded(secret);
    expect(text).toContain('/metadata');
    expect(text).toContain('Unauthorized');
    expect(text).not.toContain(secret);
    expect(await recorded('Unauthorized')).not.toContain('Unauthorized');
  });
});

describe('the action', () => {
  const inputs = () => ({
    INPUT_STAGE: 'shutdown',
    INPUT_RUNNER_NAME: secret,
    GITHUB_ACTIONS: 'true',
    CI: 'true',
    GITHUB_REPOSITORY: 'acme/runners',
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_JOB: 'deploy',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_API_URL: url,
  });

  function results() {
    const files = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary' };
    for (const name of Object.values(files)) writeFileSync(join(folder, name), '');
    return {
      env: Object.fromEntries(
        Object.entries(files).map(([variable, name]) => [variable, join(folder, name)]),
      ),
      output: () => readFileSync(join(folder, 'output'), 'utf8'),
      summary: () => readFileSync(join(folder, 'summary'), 'utf8'),
    };
  }

  test('masks each secret before the first line of its log, and repeats none elsewhere', async () => {
    const { env, output, summary } = results();
    const { stdout, stderr } = await run([], { ...inputs(), ...env });
    const lines = stdout.split('\n');
    const mask = `::add-mask::${secret}`;
    const isMask = (line: string) => line.startsWith('::add-mask::');
    expect(lines).toContain(mask);
    expect(lines.indexOf(mask)).toBeLessThan(lines.findIndex((line) => !isMask(line)));
    const printed = lines.filter((line) => !isMask(line)).join('\n');
    expectMasked({ printed, stderr, summary: summary() });
    expect(output()).not.toContain(secret);
    expect(printed).toContain('::error title=shutdown');
    expect(output()).toMatch(/^outcome<<(\S+)\nfailed\n\1$/m);
    expect(output()).toMatch(/^exit_code<<(\S+)\n1\n\1$/m);
    expect(printed.match(/^::(?:end)?group::/gm)).toEqual(['::group::', '::endgroup::']);
  });
});
