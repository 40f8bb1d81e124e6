import { describe, expect, test } from '@jest/globals';
import { formatStatus } from '../../../src/domain/deployment/deployment-status.ts';
import { consentOf } from '../../../src/operator/confirm.ts';
import type { Recovery } from '../../../src/operator/recover/method-choice.ts';
import { recover } from '../../../src/operator/recover/recover.ts';
import { refuseRecovery } from '../../../src/operator/recover/recovery-preflight.ts';
import { purple } from '../../fakes/builders.ts';
import { atRest } from '../../fakes/invariants/at-rest.ts';
import { putParameter } from '../../fakes/ports/parameters-fake.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import { hostsOf, parametersOf } from '../../fakes/world/shards.ts';
import type { World } from '../../fakes/world/world.ts';
import { drive } from '../../stages/drive.ts';
import { stackOf, type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

function attempt(world: World, recovery: Recovery) {
  return drive(createSimulation({ world }), 'recover auto', {
    deploymentId: 'terminal-1',
    ci: 'terminal',
    act: (context) => recover(context, recovery),
    refuse: (context) => refuseRecovery(context, recovery),
  });
}

/** An idle manager requests jobs again by itself, so its poll times are ignored. */
function touchable({ registrations, hosts, parameters }: World) {
  const still = Object.values(hosts).map((host) => ({ ...host, polls: undefined }));
  return [registrations, still, parameters];
}

const ladder = [
  ['rerun', 1, 'command', 'fixed'],
  ['cleanup', 2, 'command', ''],
  ['replace', 1, 'terraform', ''],
  ['terminate', 1, 'command', ''],
  ['auto', 2, 'command', ''],
] as const;

describe('a recovery from a failed healthcheck to a clean stack', () => {
  test.each(ladder)('%s takes at most two commands', async (method, times, driver, fixed) => {
    const world = await failed(times, 'fails_jobs', driver);
    // The operator fixes the machine itself before a rerun.
    if (fixed !== '') for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'ok';
    const typed: string[] = [];
    for (const line of [
      `hosted-runner recover --method ${method} --runner linux`,
      'hosted-runner finalize --runner linux',
    ]) {
      const ending = await type(world, line);
      typed.push(`${line}: ${ending.kind}, ${ending.phase}`);
    }
    expect(typed).toEqual([
      `hosted-runner recover --method ${method} --runner linux: done, promoted`,
      'hosted-runner finalize --runner linux: done, done',
    ]);
    const left = atRest(world).filter((text) => !text.startsWith('O5: canary job'));
    expect([...left, ...world.violations]).toEqual([]);
  });
});

describe('the confirmation of a recovery', () => {
  const lockOf = (world: World) =>
    world.parameters[parametersOf(stackOf(world)).lock]?.versions.at(-1)?.version ?? 0;

  test('comes before the lock and is requested once', async () => {
    const world = await failed(2, 'fails_jobs');
    const before = lockOf(world);
    const prompts: { question: string; lock: number }[] = [];
    const prompt = async (question: string) => {
      prompts.push({ question, lock: lockOf(world) - before });
      return 'purple';
    };
    const ending = await attempt(world, { method: 'cleanup', consent: consentOf(false, prompt) });
    expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    expect(prompts).toEqual([{ question: 'Type purple to continue: ', lock: 0 }]);
  });

  test('leaves the lock unchanged if it is refused', async () => {
    const world = await failed(2, 'fails_jobs');
    const before = lockOf(world);
    const ending = await attempt(world, {
      method: 'cleanup',
      consent: consentOf(false, async () => 'no'),
    });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'NotConfirmed' } });
    expect(lockOf(world) - before).toBe(0);
  });
});

test('a candidate that is removed and rebuilt waits for no name', async () => {
  const world = await failed(2, 'fails_jobs');
  const ending = await attempt(world, { method: 'cleanup', consent: { kind: 'given' } });
  expect(ending).toMatchObject({ kind: 'done', phase: 'promoted' });
  expect(ending.log.filter((line) => line.includes('the name of'))).toEqual([]);
  const token = world.parameters[parametersOf(stackOf(world)).token(purple)];
  // Old token, removed token, new token: the name was never deleted.
  expect(new Set(token?.versions.map(({ value }) => value)).size).toBe(3);
});

describe('recover', () => {
  test('reports what it affects and why no easier method helps, and advises another deployment', async () => {
    const ending = await attempt(await failed(2, 'fails_jobs'), {
      method: 'auto',
      consent: { kind: 'given' },
    });
    expect(
      ending.log.filter((line) =>
        /Chose cl|Skipped: rerun|Not needed|^Account|^Stack|^Affects|^Then|new pipeline/.test(line),
      ),
    ).toEqual([
      'Chose cleanup: purple was found unhealthy twice in a row and runs no job.',
      'Skipped: rerun cannot help: purple was found unhealthy after its last apply, which changed nothing.',
      'Not needed: replace.',
      'Not needed: terminate.',
      'Account 111122223333 in eu-central-1',
      'Stack linux, shard purple, runner 48214',
      'Affects instances: i-0abc0000000000002',
      'Then provision builds what is missing or changed, checks purple, and makes it active if it is healthy',
      'Then deploy once more: it rebuilds the other shard, which may have the same fault.',
    ]);
  });

  test.each(ladder)(
    'requires --yes outside of a terminal for %s, and changes nothing without it',
    async (method, times, driver, _fixed) => {
      const world = await failed(times, 'fails_jobs', driver);
      const before = structuredClone(touchable(world));
      const ending = await attempt(world, { method, consent: consentOf(false, undefined) });
      expect(ending).toMatchObject({ kind: 'error', error: { code: 'NotConfirmed', exitCode: 2 } });
      expect(touchable(world)).toEqual(before);
    },
  );

  test('requires the typed name of the shard at a terminal', async () => {
    const wrong = consentOf(false, async () => 'pink');
    const right = consentOf(false, async () => ' purple\n');
    const world = await failed(2, 'fails_jobs');
    expect(await attempt(world, { method: 'cleanup', consent: wrong })).toMatchObject({
      kind: 'error',
      error: { code: 'NotConfirmed', fields: { why: ['"pink" was typed instead of purple.'] } },
    });
    expect(await attempt(world, { method: 'cleanup', consent: right })).toMatchObject({
      kind: 'done',
      phase: 'promoted',
    });
  });

  test('stops if the status was edited by hand', async () => {
    const world = await failed(2, 'fails_jobs');
    const { status } = parametersOf(stackOf(world));
    putParameter(world, { name: status, value: formatStatus(stackOf(world).shards, purple) });
    expect(await attempt(world, { method: 'cleanup', consent: { kind: 'given' } })).toMatchObject({
      kind: 'error',
      error: { code: 'FactsContradict', exitCode: 3 },
    });
  });

  test('stops if the deployment is held', async () => {
    const world = await failed(1, 'fails_jobs');
    const { hold } = parametersOf(stackOf(world));
    putParameter(world, { name: hold, value: '{"who":"kim","why":"x","since":"2026-11-02"}' });
    const ending = await attempt(world, { method: 'auto', consent: { kind: 'given' } });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held' } });
    expect(ending.log.filter((line) => line.startsWith('Chose'))).toEqual([]);
  });

  test('requests no confirmation under a hold', async () => {
    const world = await failed(2, 'fails_jobs');
    const { hold } = parametersOf(stackOf(world));
    putParameter(world, { name: hold, value: '{"who":"kim","why":"x","since":"2026-11-02"}' });
    const questions: string[] = [];
    const prompt = async (question: string) => {
      questions.push(question);
      return purple;
    };
    const ending = await attempt(world, { method: 'cleanup', consent: consentOf(false, prompt) });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'Held' } });
    expect(questions).toEqual([]);
  });

  test('continues with the next method if a rerun by auto did not help', async () => {
    const world = await failed(1, 'fails_jobs');
    // An operator rebuilt the machine, and the cause remains.
    for (const host of hostsOf(world, stackOf(world), purple)) host.createdAt = world.now;
    const ending = await attempt(world, { method: 'auto', consent: { kind: 'given' } });
    expect(ending.log.filter((line) => /^(?:Chose|The rerun)/.test(line))).toEqual([
      'Chose rerun: i-0abc0000000000002 was started after the last apply.',
      expect.stringMatching(/^The rerun did not help: The canary failed 2 times on purple/),
      'Chose cleanup: purple was found unhealthy twice in a row and runs no job.',
    ]);
    expect(ending.kind).toBe('done');
  });

  describe('a rerun by auto because no other method can help', () => {
    /** Recovers a candidate with two machines. No method removes only one. */
    async function rerunAuto(isFixed: boolean) {
      const world = await failed(1, 'never_takes_jobs', 'command', 2);
      const begunAt = world.now;
      if (isFixed) for (const host of hostsOf(world, stackOf(world), purple)) host.boot = 'ok';
      const ending = await attempt(world, { method: 'auto', consent: { kind: 'given' } });
      return { ending, tookMs: world.now - begunAt, stack: stackOf(world) };
    }

    test('does not wait for a whole healthcheck after an apply that changed nothing', async () => {
      const { ending, tookMs, stack } = await rerunAuto(false);
      expect(ending.log.filter((line) => /^(?:Chose|The rerun)/.test(line))).toEqual([
        'Chose rerun: the last apply of purple changed something.',
        expect.stringMatching(/^The rerun did not help: .* healthy within 1m 30s /),
        'Chose cleanup: purple was found unhealthy twice in a row and runs no job.',
      ]);
      expect(tookMs).toBeLessThan(stack.healthcheck.timeoutMs);
    });

    test('detects an improvement since the last check', async () => {
      expect((await rerunAuto(true)).ending).toMatchObject({ kind: 'done', phase: 'promoted' });
    });
  });

  test('auto rebuilds once: a second failure has a cause that no method fixes', async () => {
    const world = await failed(2, 'fails_jobs');
    world.behaviour.boots = { 'purple-linux': Array(9).fill('fails_jobs') };
    const ending = await attempt(world, { method: 'auto', consent: { kind: 'given' } });
    expect(ending).toMatchObject({ kind: 'error', error: { code: 'CanaryFailed' } });
    expect(ending.log.filter((line) => line.startsWith('Chose'))).toEqual([
      'Chose cleanup: purple was found unhealthy twice in a row and runs no job.',
    ]);
  });

  test('refuses a rerun after an apply without changes, and names the methods that can help', async () => {
    const ending = await attempt(await failed(2, 'fails_jobs'), {
      method: 'rerun',
      consent: { kind: 'given' },
    });
    expect(ending.kind === 'error' && ending.error.fields).toEqual({
      code: 'CannotRecover',
      exitCode: 1,
      fix: [
        'Use cleanup, because purple was found unhealthy twice in a row and runs no job: hosted-runner recover --runner linux --method cleanup --yes',
        'Use terminate, because i-0abc0000000000002 is the only instance of purple; the next apply creates another: hosted-runner recover --runner linux --method terminate --yes',
        'Diagnose the stack: hosted-runner doctor --runner linux',
      ],
      now: 'pink is active but not verified: runner 48213 of pink is unpaused and has its tags; its process runs; a manager contacted GitLab 1s ago; no started job or canary was observed. purple is built and in quarantine; it takes no customer jobs.',
      what: 'Method rerun cannot recover linux; nothing was touched.',
      why: ['Purple was found unhealthy after its last apply, which changed nothing.'],
    });
  });
});
