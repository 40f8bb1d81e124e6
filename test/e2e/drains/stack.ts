import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { RunnerName, Shard } from '../../../src/domain/shard.ts';
import { pink, purple, stackSettings } from '../../fakes/builders.ts';
import { putPromoted, putToken } from '../../support/promoted-stack.ts';

/** A stack both of whose shards serve, so that either can be drained at any time. */
export interface DrainedStack {
  readonly settings: StackSettings;
  readonly shards: readonly [ServingShard, ServingShard];
}

export interface ServingShard {
  readonly shard: Shard;
  readonly registration: number;
  readonly instance: string;
}

export const scope = { kind: 'group', groupId: 10 } as const;

export async function buildStack(sandbox: Sandbox, name: string): Promise<DrainedStack> {
  const usual = stackSettings({ runnerName: name as RunnerName });
  const settings: StackSettings = {
    ...usual,
    gitlabUrl: sandbox.url,
    registration: { ...usual.registration, scope, tags: [name] },
    canary: { kind: 'off' },
    // Waiting that is only the world's own slowness is shortened; what is decided is not.
    drain: { pollOfRunnerMs: 1200, confirmationMs: 2500, pollMs: 600, servicePollMs: 60_000 },
  };
  return {
    settings,
    shards: [await serve(sandbox, settings, pink), await serve(sandbox, settings, purple)],
  };
}

async function serve(
  sandbox: Sandbox,
  { runnerName, parameterPrefix }: StackSettings,
  shard: Shard,
): Promise<ServingShard> {
  const { id, token } = await askGitLab<{ id: number; token: string }>(
    sandbox,
    'POST /user/runners',
    {
      runner_type: 'group_type',
      group_id: scope.groupId,
      description: `${shard}-${runnerName}`,
      tag_list: [runnerName],
      run_untagged: false,
    },
  );
  putToken(sandbox, `${parameterPrefix}${shard}/runner_token`, token);
  const instance = sandbox.fleet.create({ runnerName, shard });
  return { shard, registration: id, instance: instance.id };
}

/** Where a pipeline stands when its shutdown begins. */
export function writePromoted(
  sandbox: Sandbox,
  stack: DrainedStack,
  { retiring, now }: { retiring: Shard; now: number },
): void {
  const { settings, shards } = stack;
  putPromoted(sandbox, {
    prefix: settings.parameterPrefix,
    candidate: retiring === pink ? purple : pink,
    retiring,
    registrations: Object.fromEntries(shards.map((one) => [one.shard, one.registration])),
    now,
  });
}

/** As a person or a customer: what a fault strikes is asked again until it is answered. */
export async function askGitLab<T>(
  { url, gitlab }: Sandbox,
  request: `${'POST' | 'PUT'} ${string}`,
  body: object = {},
): Promise<T> {
  const [method = '', path] = request.split(' ');
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}/api/v4${path}`, {
      method,
      headers: { 'private-token': gitlab.deployerToken(), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    if (response?.ok) return (await response.json()) as T;
    if (attempt === 20) throw new Error(`${request}: ${response?.status ?? 'no answer'}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
