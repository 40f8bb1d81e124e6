import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { blockOf } from '../../docs/shown-blocks.ts';
import { runAws } from '../../errors/aws-program.ts';
import { describeWithTools } from '../../support/tools.ts';
import { type Customers, openForBusiness } from '../by-hand/world/customers.ts';
import { waitUntil } from '../by-hand/world/running.ts';
import { openWorld, shortenedVariables, type World } from '../by-hand/world/world.ts';
import { standInForAws } from './aws-stand-in.ts';
import { openPlace, openTerminal, type Place, type Terminal, type Typed } from './terminal.ts';

const page = (name: string) => blockOf('docs/use/existing-runners.md', name);
const takeOver = 'One runner: take it over';
const beside = 'Several runners: deploy beside them';

describeWithTools({ name: 'runners that existed before hosted-runner', needs: ['curl'] }, () => {
  let place: Place;
  let world: World;
  let aws: Awaited<ReturnType<typeof standInForAws>>;
  let terminal: Terminal;
  let customers: Customers | undefined;
  /** Runner and host that were set up by hand, with other names than those of a shard. */
  let old: { readonly runner: number; readonly host: string };

  beforeEach(async () => {
    place = openPlace();
    world = await openWorld();
    aws = await standInForAws(world.environment);
    place.standIn('aws', aws.script);
    old = await buildByHand();
    terminal = openTerminal({
      ...place,
      env: { ...world.environment, ...shortenedVariables, ...place.env },
    });
    await terminal.paste(`alias hosted-runner="node ${place.folder}/dist/index.js"`);
    customers = openForBusiness(world);
  });
  afterEach(async () => {
    customers?.close();
    await terminal?.close();
    aws?.close();
    await world?.close();
    place?.remove();
  });

  async function buildByHand(): Promise<{ runner: number; host: string }> {
    const { sandbox, environment } = world;
    const headers = {
      'private-token': environment['HOSTED_RUNNER_GITLAB_TOKEN'] ?? '',
      'content-type': 'application/json',
    };
    const settings = { runner_type: 'group_type', group_id: 10, tag_list: ['linux'] };
    const answer = await fetch(`${sandbox.url}/api/v4/user/runners`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...settings, description: 'blue-legacy' }),
    });
    const { id, token } = (await answer.json()) as { id: number; token: string };
    await terminalOf(
      `aws ssm put-parameter --name /gitlab/dedicated/runner/legacy/blue/runner_token --type SecureString --value ${token}`,
    );
    await fetch(`${sandbox.url}/sandbox/stacks/legacy/blue/apply`, { method: 'POST' });
    const host = await waitUntil('a host that runs', async () =>
      sandbox.fleet.list().find((one) => sandbox.fleet.machine(one.id)?.unit?.isRunning),
    );
    // EC2 shows the tags of a new machine late.
    await waitUntil('a host that AWS lists by its name', async () => {
      const words = ['aws', 'ec2', 'describe-instances', '--filters'];
      const name = 'Name=tag:Name,Values=blue-legacy_runner-manager';
      const { Reservations } = (await runAws([...words, name], environment)) as {
        Reservations?: readonly object[];
      };
      return Reservations?.[0];
    });
    return { runner: id, host: host.id };
  }

  /** Types one line in a separate shell. */
  async function terminalOf(line: string): Promise<void> {
    const shell = openTerminal({ ...place, env: { ...world.environment, ...place.env } });
    expect((await shell.paste(line)).map(({ exitCode }) => exitCode)).toEqual([0]);
    await shell.close();
  }

  async function paste(block: string): Promise<readonly Typed[]> {
    const text = block
      .replaceAll('https://gitlab.example.com', world.sandbox.url)
      .replaceAll('48001', String(old.runner))
      .replaceAll('i-0abc1234def567890', old.host);
    const typed = await terminal.paste(text);
    expect(typed.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    return typed;
  }

  const hosts = () => world.sandbox.fleet.list().filter(({ state }) => state === 'running');
  const descriptions = () => world.sandbox.gitlab.runners().map(({ description }) => description);

  test('an existing runner is taken over, drained and removed without losing a job', async () => {
    await paste(page(`${takeOver} 1`));
    const taken = await paste(page(`${takeOver} 2`));
    expect(taken.at(-1)?.text).toContain('purple is active, pink is gone.');
    expect(descriptions()).toEqual(['blue-legacy']);
    const [deployed] = await paste(page(`${takeOver} 3`));
    expect(deployed?.text).toContain(`Removed runner ${old.runner} of purple`);
    expect(deployed?.text).toContain(`Removed instance ${old.host} "purple-linux_runner-manager"`);
    expect(await customers?.finish()).toMatchObject({ lost: [], unavailable: [] });
    expect(descriptions()).toEqual(['pink-linux']);
    expect(hosts().map(({ shard }) => shard)).toEqual(['pink']);
  });

  test('an existing runner accepts jobs beside the first deployment, and is retired by hand', async () => {
    await terminal.paste('hosted-runner deploy --runner linux');
    expect(descriptions().sort()).toEqual(['blue-legacy', 'pink-linux']);
    await paste(page(`${beside} 1`));
    await onHost(page(`${beside} 2`));
    await onHost('docker wait gitlab-runner');
    await paste(page(`${beside} 3`));
    await world.sandbox.fleet.terminate(old.host);
    expect(await customers?.finish()).toMatchObject({ lost: [], unavailable: [] });
    expect(descriptions()).toEqual(['pink-linux']);
    const ran = new Set(world.sandbox.gitlab.jobs().map(({ runnerId }) => runnerId));
    expect(ran.has(old.runner)).toBe(true);
    expect(ran.size).toBeGreaterThan(1);
  });

  test('activate refuses an existing runner without the tags of a shard, and changes nothing', async () => {
    const { runner } = old;
    const line = `hosted-runner activate --runner linux --shard purple --registration ${runner}`;
    const [refused] = await terminal.paste(line);
    expect(refused).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining('purple has no host'),
    });
    expect(await customers?.finish()).toMatchObject({ lost: [], unavailable: [] });
    expect(world.sandbox.gitlab.runners()).toMatchObject([
      { description: 'blue-legacy', paused: false, tags: ['linux'] },
    ]);
  });

  async function onHost(script: string): Promise<void> {
    const { fleet } = world.sandbox;
    const ended = await fleet.execute(old.host, script, new AbortController().signal);
    expect(ended).toMatchObject({ code: 0 });
  }
});
