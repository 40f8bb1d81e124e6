import type { World } from './world.ts';

/** What a shard of the stack `linux` is in the sandbox, as a person sees it in GitLab and in EC2. */
export function runnerOf({ sandbox }: World, shard: string) {
  const found = sandbox.gitlab
    .runners()
    .find(({ description }) => description === `${shard}-linux`);
  if (found === undefined) throw new Error(`GitLab has no runner of ${shard}`);
  return found;
}

export function machineOf({ sandbox }: World, shard: string) {
  const found = sandbox.fleet.list().find((one) => one.shard === shard && one.state === 'running');
  if (found === undefined) throw new Error(`no machine of ${shard} runs`);
  return found;
}

/** Not in the midst of a command: Systems Manager waits a minute for the word of one that ends then. */
export async function endMachine(world: World, shard: string): Promise<void> {
  const { id } = machineOf(world, shard);
  await until(() => !world.sandbox.commands.areUnderWay(id));
  await world.sandbox.fleet.terminate(id, { abrupt: true });
}

/** Of the record and the status, as Parameter Store has them. */
export function recordOf({ sandbox }: World) {
  const { deployment } = JSON.parse(parameterOf(sandbox, 'deployment_record') ?? '{}') as {
    deployment?: RecordedDeployment;
  };
  return deployment;
}

interface RecordedDeployment {
  readonly phase: string;
  readonly closed_at?: string;
  readonly reopened?: { readonly times: number };
}

function parameterOf({ parameters }: World['sandbox'], name: string): string | undefined {
  const full = `/gitlab/dedicated/runner/linux/${name}`;
  return parameters
    .list()
    .find((one) => one.parameter.name === full)
    ?.value();
}

/** What is there of a shard that nothing may have taken. */
export function whatIsThere(world: World, shard: string) {
  const { gitlab, fleet, stacks } = world.sandbox;
  return {
    registered: gitlab.runners().some(({ description }) => description === `${shard}-linux`),
    machines: fleet
      .list()
      .filter((one) => one.shard === shard)
      .map(({ state }) => state),
    built: (stacks.list()[`linux/${shard}`]?.length ?? 0) > 0,
  };
}

/** By condition: what hangs is ended by the limits of its command. */
export async function until(what: () => boolean): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  while (!what()) {
    // A test that waits for something that cannot come any more says for what.
    if (performance.now() > deadline) throw new Error(`Not true after 5 minutes: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const longestWaitMs = 300_000;

/** The command behind `Go back to pink: hosted-runner rollback …`, as words after the program's name. */
export function printedCommand(text: string, lead: string): readonly string[] {
  const line = text.split('\n').find((one) => one.includes(`${lead}: hosted-runner `));
  const command = line?.split(': hosted-runner ').at(-1);
  if (command === undefined) throw new Error(`nobody printed "${lead}": ${text}`);
  return command.trim().split(' ');
}

/** What the part `fix` of an error offers to be typed, each as words after the program's name. */
export function commandsUnderFix(text: string): readonly (readonly string[])[] {
  const [, fix] = /^ {2}fix {2}((?:.*\n {7}.*)*.*)$/m.exec(text) ?? [];
  if (fix === undefined) throw new Error(`nobody printed what to do: ${text}`);
  return fix.split('\n').flatMap((line) => {
    const [, command] = /: hosted-runner (.*)$/.exec(line) ?? [];
    if (command === undefined) return [];
    return [(command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))];
  });
}

/** As a person does it in GitLab's pages, or with its API. */
export async function setPaused(world: World, shard: string, paused: boolean): Promise<void> {
  const { sandbox } = world;
  const { id } = runnerOf(world, shard);
  const answer = await fetch(`${sandbox.url}/api/v4/runners/${id}`, {
    method: 'PUT',
    headers: {
      'private-token': sandbox.gitlab.deployerToken(),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ paused }),
  });
  if (!answer.ok) throw new Error(`GitLab answered ${answer.status}: ${await answer.text()}`);
}
