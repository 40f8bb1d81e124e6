import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openCredentials } from '../../../src/app/compose/compose-credentials.ts';
import { probeServer } from '../../../src/app/compose/server-probe.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { RegistrationId, StackShard } from '../../../src/domain/shard.ts';
import { pink, stackSettings } from '../../fakes/builders.ts';
import { runner } from '../../gitlab/scripted-gitlab.ts';
import { json, sendBy } from '../../transport/fake-server.ts';
import { openSurroundings, type PortQuery, queryPorts, secret } from './composing.ts';

async function last(events: AsyncIterable<unknown>): Promise<unknown> {
  const seen: unknown[] = [];
  try {
    for await (const event of events) seen.push(event);
  } catch (error) {
    seen.push((error as Error).message);
  }
  return seen;
}

const shard: StackShard = { runnerName: stackSettings().runnerName, shard: pink };
const id = '48213' as RegistrationId;
const gitlab = stackSettings({
  canary: { kind: 'project', project: 'acme/canary', ref: 'main', input: 'tag' },
});
const github = stackSettings({
  gitlabUrl: 'https://github.com',
  github: {
    scope: { kind: 'organization', organization: 'acme' },
    groups: { active: 'Default', quarantine: 'Quarantine' },
  } as never,
  canary: { kind: 'workflow', repository: 'acme/canary', workflow: 'c.yml', ref: 'main' } as never,
});
const terraform = stackSettings({
  infrastructure: {
    driver: 'terraform',
    binary: 'terraform',
    directory: tmpdir(),
    backendConfig: [],
    varFiles: [],
    variables: [],
    lockTimeoutMs: 1000,
    ownNames: [],
    stackTag: 'hosted-runner:stack',
    shardTag: 'hosted-runner:shard',
    passEnvironment: [],
    timeoutMs: 10_000,
  },
});
const run = { deploymentId: '5-7', pipelineUrl: 'https://gitlab.example.com/a/b/-/pipelines/7' };
const metric = { query: 'up', url: 'https://metrics.example', above: 1, forMs: 0, use: 'required' };

describe('text that a port repeats from another system', () => {
  const local: readonly (readonly [string, StackSettings, PortQuery])[] = [
    ['the command of the infrastructure', gitlab, (of) => last(of.infrastructure.destroy(shard))],
    ['Terraform', terraform, (of) => last(of.infrastructure.destroy(shard))],
  ];
  const aws: readonly (readonly [string, StackSettings, PortQuery])[] = [
    ['Parameter Store', gitlab, (of) => of.parameters.find('/a')],
    ["a host's log", gitlab, (of) => of.host.look('i-0123456789abcdef0')],
    ['EC2', gitlab, (of) => of.instances.find('i-0123456789abcdef0')],
    ['the tags', gitlab, (of) => of.inventory.list(shard)],
    ['the lifecycle hooks', gitlab, (of) => of.hooks.listWaiting(shard)],
    ['STS', gitlab, (of) => of.account.readIdentity()],
    ['an alarm', gitlab, (of) => of.alarms.read(['errors'])],
  ];
  const web: readonly (readonly [string, StackSettings, PortQuery])[] = [
    ["GitLab's runners", gitlab, (of) => of.registry.find(id)],
    ["GitLab's pipelines", gitlab, (of) => of.pipelines.readOwner(run)],
    ["GitLab's canary", gitlab, (of) => of.canary.start()],
    ["GitHub's runners", github, (of) => of.registry.findByShard(shard)],
    ["GitHub's canary", github, (of) => of.canary.start()],
    ['Prometheus', gitlab, (of) => of.signals.readMetric(metric as never)],
    [
      'the webhook',
      gitlab,
      (of) =>
        of.signals.askWebhook('https://judge.example', {
          deployment: '1',
          stack: 'l',
          shard: pink,
        }),
    ],
  ];

  test.each([...local, ...aws, ...web])(
    'gets its secrets masked: %s',
    async (_, settings, question) => {
      const { text } = await queryPorts(settings, question);
      expect(text).toContain('[MASKED]');
      expect(text).not.toContain(secret);
    },
  );

  test.each([...aws, ...web])(
    '%s uses the shared call budget and slow-response notice',
    async (_, settings, question) => {
      const { entered, watched } = await queryPorts(settings, question);
      expect(entered.length).toBeGreaterThan(0);
      expect(watched.length).toBeGreaterThan(0);
    },
  );

  test.each(web)(
    '%s uses the network connection that the process opened',
    async (_, settings, question) => {
      expect((await queryPorts(settings, question)).sent.length).toBeGreaterThan(0);
    },
  );
});

test('the first request to GitLab uses the shared parts of the process', async () => {
  const { surroundings, sent, entered, watched } = openSurroundings();
  const { answer } = await probeServer(gitlab, surroundings);
  expect(await answer).toMatchObject({
    kind: 'failed',
    failure: { message: expect.stringContaining('[MASKED]') },
  });
  expect(JSON.stringify(await answer)).not.toContain(secret);
  expect([sent, entered, watched]).toEqual([
    ['gitlab.example.com'],
    ['gitlab.example.com'],
    ['GitLab'],
  ]);
  expect(surroundings.redactor.redact('with shapeless-token-of-gitlab')).toBe('with [MASKED]');
});

test('a paused runner names the run in its note', async () => {
  const bodies: unknown[] = [];
  const note = 'hosted-runner-deploy deployment=101-4711';
  const send = sendBy(async (request) => {
    const paused = request.method === 'PUT';
    if (paused) bodies.push(await request.json());
    return json(200, { ...runner, maintenance_note: note, paused });
  });
  await queryPorts(
    gitlab,
    async ({ registry }) => {
      await registry.find(id);
      await registry.setIntake(id, 'closed');
    },
    send,
  );
  expect(bodies).toEqual([
    {
      paused: true,
      maintenance_note: expect.stringMatching(`^${note}\n\n.*paused by run 101-5001 at `),
    },
  ]);
});

test("a CI's identity token for AWS reaches the redactor, and a refusal is masked", async () => {
  const { surroundings } = openSurroundings();
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  const file = join(folder, 'token');
  writeFileSync(file, 'shapeless-token-of-the-job');
  const role = 'arn:aws:iam::123456789012:role/deploy';
  const { AWS_ACCESS_KEY_ID: _, ...environment } = surroundings.environment;
  const named = {
    AWS_ROLE_ARN: role,
    AWS_WEB_IDENTITY_TOKEN_FILE: file,
  };
  const open = openCredentials({ ...surroundings, environment: { ...environment, ...named } });
  const { provide } = await open();
  if (provide === undefined) throw new Error('the credentials are those of the environment');
  const message = await provide().then(String, ({ message: words }: Error) => words);
  rmSync(folder, { recursive: true });
  expect(message).toContain('[MASKED]');
  expect(message).not.toContain(secret);
  expect(surroundings.redactor.redact('of shapeless-token-of-the-job')).toBe('of [MASKED]');
});
