import { SendCommandCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockOf } from '../../docs/shown-blocks.ts';
import { describeWithTools } from '../../support/tools.ts';
import { waitUntil } from '../by-hand/world/running.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';
import { standInForAws } from './aws-stand-in.ts';
import { linesOf, openPlace, openTerminal, type Terminal, type Typed } from './terminal.ts';

const runbook = (name: string) => blockOf('docs/operate/runbook.md', name);
describeWithTools({ name: 'the typed runbook', needs: ['curl'] }, () => {
  const place = openPlace();
  /** Output of each block by its place in the document. All blocks run in one session. */
  const printed = new Map<string, readonly Typed[]>();
  let world: World;
  let terminal: Terminal;
  let aws: Awaited<ReturnType<typeof standInForAws>>;
  /** Values that an operator fills in: the GitLab, the group and the shards' runners. */
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

  /**
   * Reaches a stack that was handed over to an operator and back, and then a stack with purple
   * active.
   */
  async function begin(): Promise<void> {
    await deploy();
    await paste('Runbook 1');
    await paste('Manual steps 1');
    await paste('Return to hosted-runner 1');
    await deploy();
  }

  /** Performs a deployment by hand: purple retires, pink becomes active. */
  async function takeOver(): Promise<void> {
    await terminal.paste(linesOf(runbook('Manual steps 1'))[0] ?? '');
    await paste('Manual steps 2');
    const { sandbox } = world;
    filled = [...filled, ['48001', '48002']];
    await paste('Read the state 1');
    const [register = '', store = ''] = linesOf(runbook('Register a candidate 1'));
    const [answer] = await paste('Register a candidate 1', register);
    const { id, token } = JSON.parse(answer?.text ?? '');
    filled = [...filled.slice(0, -1), ['48001', String(id)], ['glrt-…', token]];
    await paste('the token', store);
    // The sandbox's machines are not in Terraform.
    await paste('its build', 'hosted-runner sandbox apply --runner linux --shard pink');
    // A failure here would leave the next wait without a runner for its job.
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
    await paste('Make the shard active 1');
    await paste('Drain the old shard 1');
    await stop(runbook('Stop the old process 1'));
    await paste('Deregister the old runner 1');
    await paste('its end', 'hosted-runner sandbox destroy --runner linux --shard purple');
    await paste('Return to hosted-runner 2');
  }

  /** Runs a block on the host. Run Command is the only access. */
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

  test('each pasted line exits 0', () => {
    expect(failed()).toEqual([]);
    expect([...printed.values()].flat().length).toBeGreaterThan(25);
  });

  const textOf = (name: string, line = 0) => printed.get(name)?.[line]?.text ?? '';

  test('doctor first reports which shard accepts jobs', () => {
    expect(textOf('Runbook 1')).toMatch(/^.*pink accepts jobs/);
  });

  test('the manual checks show the status, the runner and its manager', () => {
    expect(JSON.parse(textOf('Read the state 1'))).toMatchObject({ active_shard: 'purple' });
    expect(JSON.parse(textOf('Read the state 1', 5))).toMatchObject({
      id: 48002,
      tag_list: ['linux'],
    });
    expect(JSON.parse(textOf('Read the state 1', 6))).toHaveLength(1);
  });

  test('the old shard is paused and drained as documented', () => {
    expect(JSON.parse(textOf('Drain the old shard 1'))).toMatchObject({ id: 48002, paused: true });
    expect(textOf('Drain the old shard 1', 1)).toBe('[][][]');
    expect(JSON.parse(textOf('Drain the old shard 1', 2))).toMatchObject({
      job_execution_status: 'idle',
    });
    expect(textOf('Deregister the old runner 1')).toBe('');
  });

  test('the next deployment takes over a stack that was deployed by hand', async () => {
    const { text, exitCode } = await world.stage('deploy');
    expect({ text, exitCode }).toEqual({ text, exitCode: 0 });
    expect(text).toMatch(/Switched: purple is active/);
  });
});
