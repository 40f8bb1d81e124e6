import { SendCommandCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockOf } from '../../docs/shown-blocks.ts';
import { describeWithTools } from '../../support/tools.ts';
import { waitUntil } from '../by-hand/world/running.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import { standInForAws } from './aws-stand-in.ts';
import { linesOf, openPlace, openTerminal, type Terminal, type Typed } from './terminal.ts';

const runbook = (name: string) => blockOf('docs/operate/runbook.md', name);
describeWithTools({ name: 'the runbook, typed', needs: ['curl'] }, () => {
  const place = openPlace();
  /** What each block printed, by its place in the document; the session is one. */
  const printed = new Map<string, readonly Typed[]>();
  let world: World;
  let terminal: Terminal;
  let aws: Awaited<ReturnType<typeof standInForAws>>;
  /** What a person fills in: their GitLab, their group, and the runners of their shards. */
  let filled: readonly (readonly [string, string])[] = [];

  beforeAll(async () => {
    world = await openWorld();
    aws = await standInForAws(world.environment);
    place.standIn('aws', aws.script);
    terminal = openTerminal({ ...place, env: { ...world.environment, ...place.env } });
    await terminal.paste(`alias hosted-runner="node ${place.folder}/dist/index.js"`);
    filled = [
      ['https://gitlab.example.com', world.sandbox.url],
      ['TOKEN=…', `TOKEN=${world.environment['HOSTED_RUNNER_GITLAB_TOKEN']}`],
      ['group_id=42', 'group_id=10'],
      ['groups/42', 'groups/10'],
    ];
    await begin();
    await takeOver();
  });
  afterAll(async () => {
    await terminal.close();
    aws.close();
    await world.close();
    place.remove();
  });

  async function paste(name: string, block = runbook(name)): Promise<readonly Typed[]> {
    const text = filled.reduce((rest, [from, to]) => rest.replaceAll(from, to), block);
    const typed = await terminal.paste(text);
    printed.set(name, typed);
    return typed;
  }

  async function deploy(): Promise<void> {
    const { exitCode, text } = await world.stage('deploy');
    expect({ exitCode, text }).toEqual({ exitCode: 0, text });
  }

  /** A stack whose status was held and given back, and then one that purple serves. */
  async function begin(): Promise<void> {
    await deploy();
    await paste('Runbook 1');
    await paste('By hand 1');
    await paste('Give it back 1');
    await deploy();
  }

  /** Everything that a deployment does, by hand: purple retires, pink takes its place. */
  async function takeOver(): Promise<void> {
    await terminal.paste(linesOf(runbook('By hand 1'))[0] ?? '');
    await paste('By hand 2');
    const { sandbox } = world;
    filled = [...filled, ['48001', '48002']];
    await paste('Look 1');
    const [register = '', store = ''] = linesOf(runbook('Register a candidate 1'));
    const [answer] = await paste('Register a candidate 1', register);
    const { id, token } = JSON.parse(answer?.text ?? '');
    filled = [...filled.slice(0, -1), ['48001', String(id)], ['glrt-…', token]];
    await paste('the token', store);
    // The sandbox's machines are no Terraform's.
    await paste('its build', 'hosted-runner sandbox apply --runner linux --shard pink');
    // Or one would wait for a job that nobody takes.
    expect(failed()).toEqual([]);
    const job = sandbox.gitlab.submitJob({
      project: 201,
      tags: ['canary-by-hand'],
      script: ['true'],
    });
    await waitUntil('a job on the candidate', async () => {
      const found = sandbox.gitlab.jobs().find((one) => one.id === job.id);
      return found?.status === 'success' ? found : undefined;
    });
    await paste('Make it active 1');
    await paste('Drain the old one 1');
    await stop(runbook('Stop it 1'));
    await paste('Deregister 1');
    await paste('its end', 'hosted-runner sandbox destroy --runner linux --shard purple');
    await paste('Give it back 2');
  }

  /** On the host, where Run Command is the only way in. */
  async function stop(block: string): Promise<void> {
    const machine = world.sandbox.fleet
      .list()
      .find(({ shard, state }) => shard === 'purple' && state === 'running');
    const [docker = ''] = linesOf(block);
    const client = new SSMClient({
      region: 'eu-west-1',
      endpoint: world.sandbox.ssmUrl,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    });
    await client.send(
      new SendCommandCommand({
        DocumentName: 'AWS-RunShellScript',
        InstanceIds: [machine?.id ?? ''],
        Parameters: { commands: [docker] },
      }),
    );
    client.destroy();
    await waitUntil('the end of the old process', async () => {
      const answer = await fetch(`${world.sandbox.url}/sandbox/processes`);
      const processes = (await answer.json()) as { instance_id: string }[];
      return processes.some((one) => one.instance_id === machine?.id) ? undefined : true;
    });
  }

  function failed(): readonly Typed[] {
    return [...printed.values()].flat().filter(({ exitCode }) => exitCode !== 0);
  }

  test('each line that was pasted ended with 0', () => {
    expect(failed()).toEqual([]);
    expect([...printed.values()].flat().length).toBeGreaterThan(25);
  });

  const textOf = (name: string, line = 0) => printed.get(name)?.[line]?.text ?? '';

  test('doctor says first which shard serves', () => {
    expect(textOf('Runbook 1')).toMatch(/^.*pink serves jobs/);
  });

  test('a look by hand shows the status, the runner and its manager', () => {
    expect(JSON.parse(textOf('Look 1'))).toMatchObject({ active_shard: 'purple' });
    expect(JSON.parse(textOf('Look 1', 5))).toMatchObject({ id: 48002, tag_list: ['linux'] });
    expect(JSON.parse(textOf('Look 1', 6))).toHaveLength(1);
  });

  test('the old shard is closed and drained as it is said', () => {
    expect(JSON.parse(textOf('Drain the old one 1'))).toMatchObject({ id: 48002, paused: true });
    expect(textOf('Drain the old one 1', 1)).toBe('[][][]');
    expect(JSON.parse(textOf('Drain the old one 1', 2))).toMatchObject({
      job_execution_status: 'idle',
    });
    expect(textOf('Deregister 1')).toBe('');
  });

  test('a stack that was deployed by hand is taken over by the next deployment', async () => {
    const { text, exitCode } = await world.stage('deploy');
    expect({ text, exitCode }).toEqual({ text, exitCode: 0 });
    expect(text).toMatch(/Switched: purple is active/);
  });
});
