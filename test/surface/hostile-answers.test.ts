import { afterEach, describe, expect, test } from '@jest/globals';
import { createRunnerHost } from '../../src/adapters/aws/hosts/aws-runner-host.ts';
import { createParameterStore } from '../../src/adapters/aws/state-store/parameter-store.ts';
import { createGitHubClient } from '../../src/adapters/github/github-client.ts';
import { listRunners } from '../../src/adapters/github/runners/runners.ts';
import { parsePlan } from '../../src/adapters/terraform/plan-json.ts';
import { idsOfStates, judgeStates } from '../../src/adapters/terraform/tfstate/terraform-state.ts';
import { isPortFailure } from '../../src/ports/failure.ts';
import { type FakeSsm, startFakeSsm } from '../aws/fake-ssm.ts';
import { connect, dockerHost } from '../aws/sandbox-aws.ts';
import { id, list, one, openRegistry, shard } from '../gitlab/runners/scripted-registry.ts';
import { page, runner } from '../gitlab/scripted-gitlab.ts';
import { createTestTransport } from '../transport/fake-server.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const proto = '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}';
/** Responses that no honest server gives. No reader may accept them as good, idle or gone. */
const bodies: readonly (readonly [string, string])[] = [
  ['keys of every object', `{${proto}}`],
  ['keys of every object in a list', `[{${proto}}]`],
  ['depth', deep],
  ['depth in an object', `{"a":${deep}}`],
  ['bytes of a binary', '\u0000\u0001\ufffd\u007fELF'],
  ['half of a character', '"\ud800'],
  ['no end', `[{"id":1,"description":"${'x'.repeat(1_000_000)}`],
  ['an empty string', '""'],
  ['an invalid number', '1e999'],
  ['nothing', ''],
];

afterEach(() => {
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

/** Decides whether the response was refused as one of an unknown server. */
async function refused(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return false;
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return true;
  }
}

const answer = (body: string) =>
  new Response(body, {
    status: 200,
    headers: { 'content-type': 'application/json', 'x-next-page': '', 'x-page': '1' },
  });

describe('an unusual response of GitLab', () => {
  test.each(bodies)('causes an error: %s', async (_, body) => {
    const { registry } = openRegistry({
      [one]: answer(body),
      [list]: answer(body),
      'GET /runners/48213/jobs': answer(body),
      'GET /runners/48213/managers': answer(body),
    });
    expect(await refused(registry.find(id))).toBe(true);
    expect(await refused(registry.findByShard(shard))).toBe(true);
    expect(await refused(registry.listJobs(id))).toBe(true);
    expect(await refused(registry.listWorkers(id))).toBe(true);
  });

  test('keeps its own fields if it also has keys of every object', async () => {
    const body = `{${proto},${JSON.stringify(runner).slice(1)}`;
    const { registry } = openRegistry({ [one]: answer(body), [list]: page([]) });
    expect(await registry.find(id)).toMatchObject({ kind: 'found', value: { id } });
  });
});

describe('an unusual response of GitHub', () => {
  test.each(bodies)('causes an error: %s', async (_, body) => {
    const { transport, clock, redactor } = createTestTransport(async () => answer(body));
    const client = await createGitHubClient({
      url: 'https://api.github.example',
      credentials: { kind: 'token', token: 'made-up-token' },
      transport,
      redactor,
      clock,
    });
    const scope = { kind: 'organization', organization: 'acme' } as const;
    expect(await refused(listRunners(client, scope))).toBe(true);
  });
});

describe('an unusual response of AWS', () => {
  let server: FakeSsm;
  afterEach(() => server.close());

  test.each(bodies)('causes an error, never an absence: %s', async (_, body) => {
    server = await startFakeSsm({ body });
    const clock = createVirtualClock();
    const ssm = connect(server.url, { clock });
    const parameters = createParameterStore({ ssm });
    expect(await refused(parameters.find('/a'))).toBe(true);
    expect(await refused(parameters.overwrite({ name: '/a', value: '1' }))).toBe(true);
    ssm.close();
  });

  test.each([
    ['a binary', '\u0000\u0001\ufffdend=1'],
    ['a line without end', `inspect=${'x'.repeat(2_000_000)}`],
    ['keys of every object', '__proto__=1\nconstructor=1\ninspect_code=__proto__'],
    [
      'more jobs than exist',
      'inspect_code=0\ninspect=running no\njobs_code=0\nrunning=99999999999\nend=1',
    ],
    ['an invalid state', 'inspect_code=0\ninspect=constructor no\njobs_code=0\nrunning=0\nend=1'],
  ])('proves no idle or missing host with a host’s %s', async (_, output) => {
    const ended = {
      Status: 'Success',
      ResponseCode: 0,
      StandardOutputContent: output,
      StandardErrorContent: '',
    };
    const sent = { Command: { CommandId: '11111111-2222-4333-8444-555555555555' } };
    server = await startFakeSsm({ body: sent }, { body: ended });
    const clock = createVirtualClock();
    const random = { id: () => 'abcdefgh12345678', fraction: () => 0.5 };
    const ssm = connect(server.url, { clock, random });
    const redact = (text: string) => text;
    const host = createRunnerHost({ ssm, settings: dockerHost, clock, random, redact });
    const report = await host.look('i-0123456789abcdef0');
    const known = report.kind === 'report' ? [report.process, report.jobs] : ['unknown', undefined];
    expect(known[0] === 'unknown' || known[1] === undefined).toBe(true);
    expect(known[0]).not.toBe('absent');
    ssm.close();
  });
});

describe('an unusual output of Terraform', () => {
  test.each(bodies.filter(([, body]) => body !== ''))(
    'gives no state and no plan: %s',
    (_, body) => {
      expect(judgeStates([body])).toBe('unknown');
      expect(idsOfStates([body])).toBe('unknown');
      let error: unknown;
      try {
        const plan = parsePlan(body);
        // The guard refuses a plan of an unknown version.
        expect(plan).toMatchObject({ formatVersion: '(none)', complete: undefined, changes: [] });
      } catch (thrown) {
        error = thrown;
      }
      expect(error === undefined || isPortFailure(error)).toBe(true);
    },
  );
});
