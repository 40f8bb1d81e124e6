import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readParameters, whatIsWrongAtRest } from './rest.ts';
import { openWorld, type World } from './world.ts';

/** One stack, broken and healed again and again: each world begins where the one before came to rest. */
let world: World;
beforeAll(async () => {
  world = await openWorld();
  expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
});
afterAll(() => world.close());

const base = '/gitlab/dedicated/runner/linux/';
const impatient = ['healthcheck.timeout=4s'];

function put(name: string, value: string): void {
  world.sandbox.parameters.put({ name: `${base}${name}`, value, overwrite: true, type: 'String' });
}

function remove(name: string): void {
  world.sandbox.parameters.remove(`${base}${name}`);
}

function active(): string {
  return JSON.parse(readParameters(world.sandbox)['deployment_status'] ?? '{}').active_shard;
}

function inactive(): string {
  return active() === 'pink' ? 'purple' : 'pink';
}

async function terminate(shard: string): Promise<void> {
  for (const { id, shard: of, state } of world.sandbox.fleet.list())
    if (of === shard && state === 'running') await world.sandbox.fleet.terminate(id);
}

async function askGitLab(method: string, shard: string, body?: object): Promise<void> {
  const runner = world.sandbox.gitlab
    .runners()
    .find(({ description }) => description === `${shard}-linux`);
  const answer = await fetch(`${world.sandbox.url}/api/v4/runners/${runner?.id}`, {
    method,
    headers: {
      'private-token': world.environment['HOSTED_RUNNER_GITLAB_TOKEN'] ?? '',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
}

async function fail(boot: 'never_contacts' | 'contacts_but_fails_jobs', times: number) {
  const shard = inactive();
  world.sandbox.settings.change({ runnerName: 'linux', shard }, { boot });
  expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
  for (let run = 0; run < times; run += 1)
    expect(await world.stage('provision', { set: impatient })).toMatchObject({ exitCode: 1 });
  world.sandbox.settings.change({ runnerName: 'linux', shard }, { boot: 'ok' });
}

async function until(stages: readonly string[]): Promise<void> {
  for (const stage of stages) expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
}

interface Diagnosis {
  readonly code: string;
  readonly commands: readonly string[];
}

async function examine(): Promise<Diagnosis> {
  const end = await world.start({ args: ['doctor', '--runner', 'linux', '--json'] }).ended;
  expect({ text: end.stderr, exitCode: end.exitCode }).toEqual({ text: '', exitCode: 0 });
  const [report] = JSON.parse(end.stdout) as { diagnoses: Diagnosis[] }[];
  return report?.diagnoses[0] ?? { code: 'none', commands: [] };
}

/** Types what doctor prints until it says healthy. */
async function heal(): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { code, commands } = await examine();
    seen.push(code);
    if (code === 'healthy') break;
    for (const command of commands) {
      const words = command.split(' ').slice(1);
      const isAsked = words[0] === 'recover' || words.includes('--fix');
      const end = await world.start({ args: [...words, ...(isAsked ? ['--yes'] : [])] }).ended;
      if (end.exitCode !== 0) seen.push(`${command}: ${end.stderr}`);
    }
  }
  return seen;
}

const worlds: readonly (readonly [
  name: string,
  code: string,
  spoil: () => void | Promise<void>,
])[] = [
  ['nothing is wrong', 'healthy', () => {}],
  ['status lost', 'status_lost', () => remove('deployment_status')],
  [
    'status swapped by hand',
    'status_edited',
    () =>
      put(
        'deployment_status',
        JSON.stringify({ active_shard: inactive(), inactive_shard: active() }),
      ),
  ],
  ['record lost', 'record_lost', () => remove('deployment_record')],
  [
    'held',
    'held',
    () => put('deployment_hold', '{"who":"kim","why":"x","since":"2026-11-02T08:00:00Z"}'),
  ],
  [
    'active shard paused by hand',
    'nothing_serves',
    () => askGitLab('PUT', active(), { paused: true }),
  ],
  ['instance of the active shard terminated by hand', 'nothing_serves', () => terminate(active())],
  ['candidate unhealthy twice', 'candidate_unhealthy', () => fail('contacts_but_fails_jobs', 2)],
  [
    'instance of the candidate terminated by hand',
    'resources_gone',
    async () => {
      const candidate = inactive();
      await until(['prepare', 'onboard']);
      expect(await world.stage('provision', { args: ['--until', 'healthy'] })).toMatchObject({
        exitCode: 0,
      });
      await terminate(candidate);
    },
  ],
  ['token of the active shard lost', 'active_irregular', () => remove(`${active()}/runner_token`)],
  [
    'a retirement that nobody finished',
    'drain_waits|retirement_unfinished',
    () => until(['prepare', 'provision']),
  ],
];

describe('in the sandbox, by the program as a process', () => {
  test.each(worlds)(
    '%s: doctor says %s, and what it prints leads to a healthy stack',
    async (_, code, spoil) => {
      await spoil();
      // A name that was just deleted is given out again after a moment.
      await new Promise((resolve) => setTimeout(resolve, 500));
      const seen = await heal();
      expect(code.split('|')).toContain(seen[0]);
      // GitLab keeps the record of a manager whose machine was terminated under its runner.
      const wrong = whatIsWrongAtRest(world).filter((text) => !text.startsWith('managers:'));
      expect({ last: seen.at(-1), wrong }).toEqual({
        last: 'healthy',
        wrong: [],
      });
    },
  );
});
