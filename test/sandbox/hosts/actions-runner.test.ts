import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSandbox, until } from './running-sandbox.ts';

const folder = '/gitlab/dedicated/runner/linux/pink';
const tokenEnded =
  /the token is 61m old, and GitHub accepts a token for one hour only; waiting for a new one/;

/** Each runner of this host of GitHub takes one job only. */
describe('an ephemeral runner', () => {
  let world: Awaited<ReturnType<typeof openSandbox>>;
  let hostId: string;
  beforeEach(async () => {
    world = await openSandbox({ behaviour: { process: 'actions_runner', ephemeral: true } });
    await writeFleet({ labels: ['canary'], intake: 'open' });
    await writeToken();
    const place = { runnerName: 'linux', shard: 'pink' };
    [hostId = ''] = (await world.sandbox.stacks.apply(place)).instanceIds;
    await until(() => runners().length === 1);
  });
  afterEach(() => world.close());

  const runners = () => world.sandbox.github.runners();
  const log = () => readFileSync(world.sandbox.fleet.machine(hostId)?.logFile ?? '', 'utf8');

  function put(name: string, Value: string) {
    const Name = `${folder}/${name}`;
    return world.ssm.putParameter({ Name, Value, Type: 'SecureString', Overwrite: true });
  }
  const writeFleet = (fleet: { labels: string[]; intake: 'open' | 'closed' }) =>
    put('runner_fleet', JSON.stringify({ schema: 1, note: '', ...fleet }));
  async function writeToken(): Promise<void> {
    const path = '/api/v3/orgs/acme/actions/runners/registration-token';
    const headers = { authorization: `Bearer ${world.sandbox.github.deployerToken()}` };
    const answer = await fetch(`${world.sandbox.url}${path}`, { method: 'POST', headers });
    await put('runner_token', ((await answer.json()) as { token: string }).token);
  }
  async function runJob(label: string): Promise<void> {
    const { jobId } = world.sandbox.github.submitJob({ labels: [label], script: ['true'] });
    const jobs = () => world.sandbox.github.jobs();
    await until(() => jobs().find(({ id }) => id === jobId)?.status === 'completed');
  }

  test('registers again after its job, with the current labels', async () => {
    const [first] = runners();
    await writeFleet({ labels: ['linux'], intake: 'open' });
    await runJob('canary');
    const [second] = await until(() => (runners().length === 1 ? runners() : undefined));
    expect(second?.id).not.toBe(first?.id);
    expect(second?.labels).toEqual(['linux']);
  });

  test('waits with its registration while the intake is paused', async () => {
    await writeFleet({ labels: ['linux'], intake: 'closed' });
    await runJob('canary');
    await until(() => world.sandbox.fleet.machine(hostId)?.unit?.isRunning === false);
    expect(runners()).toEqual([]);
    await writeFleet({ labels: ['linux'], intake: 'open' });
    await until(() => runners().length === 1);
  });

  test('waits for a new token after the last one expired, and logs it', async () => {
    world.sandbox.clock.advance(61 * 60_000);
    await runJob('canary');
    await until(() => tokenEnded.test(log()));
    expect(runners()).toEqual([]);
    await writeToken();
    await until(() => runners().length === 1);
    expect(log().match(new RegExp(tokenEnded, 'g'))).toHaveLength(1);
  });
});
