import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { policyOf } from '../../../generate/policies.ts';
import type { AccessWish } from '../../../sandbox/aws/access/authorization.ts';
import type { FaultEffect } from '../../../sandbox/faults.ts';
import { permissions } from '../../../src/adapters/aws/access/permissions.ts';
import { place } from '../../aws/cloud.ts';
import { connect } from '../../aws/sandbox-aws.ts';
import { allows, type Policy, toPolicy } from '../../docs/policy.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';

let world: World;
let policy: Policy | undefined;
let wishes: AccessWish[] = [];
beforeEach(async () => {
  policy = undefined;
  wishes = [];
  world = await openWorld({
    admit(wish) {
      // The probe's own permission is examples/iam/probe.json.
      if (wish.action === 'iam:SimulatePrincipalPolicy') return true;
      wishes.push(wish);
      return policy === undefined || allows(policy, wish);
    },
  });
});
afterEach(() => world.close());

/** Permissions for stacks without a check document. */
const usual = permissions.filter(({ unless }) => unless !== 'no_check_document');

function policyFor(role: string, without?: string): Policy {
  const chosen = usual.filter(
    ({ roles, action }) => roles.some((one) => one === role) && action !== without,
  );
  return toPolicy(policyOf(chosen, place));
}

/** The policy check in `prepare` covers the whole pipeline, so one role gets all permissions. */
const everything = toPolicy(policyOf(usual, place));

/** Leaves resources of the retiring shard, and a dead worker of the remaining one. */
function leaveBehind(retiring: string, staying: string): void {
  const tagsOf = (shard: string) => ({ [place.stackTag]: 'linux', [place.shardTag]: shard });
  const { leftovers, groups } = world.sandbox;
  leftovers.add({ type: 'security-group', id: 'sg-0left', tags: tagsOf(retiring) });
  leftovers.add({ type: 'network-interface', id: 'eni-0left', tags: tagsOf(retiring) });
  const manager = `${retiring}-linux_runner-manager`;
  const policy = 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore';
  for (const [type, holds] of [
    ['role', [policy, manager]],
    ['instance-profile', [manager]],
  ] as const) {
    const id = `arn:aws:iam::123456789012:${type}/${manager}`;
    leftovers.add({ type, id, tags: tagsOf(retiring), holds });
  }
  const waiting = ['i-0123456789abcdef0'];
  groups.add({ name: 'workers', hook: 'drain', waiting, tags: tagsOf(staying) });
}

/** A third deployment's candidate never contacts GitLab, and an operator ends its machine. */
async function endByHand(): Promise<void> {
  world.sandbox.settings.change({ runnerName: 'linux' }, { boot: 'never_contacts' });
  policy = everything;
  await world.stage('prepare');
  policy = policyFor('provision');
  const failed = await world.stage('provision', { set: ['healthcheck.timeout=4s'] });
  expect(failed.code).toBe('HealthcheckTimedOut');
  world.sandbox.settings.change({ runnerName: 'linux' }, { boot: 'ok' });
  const denied = policyFor('operator', 'ec2:TerminateInstances');
  for (const [given, exitCode] of [
    [denied, 1],
    [policyFor('operator'), 0],
  ] as const) {
    policy = given;
    const args = ['--method', 'terminate', '--yes'];
    const ended = await world.stage('recover', { args });
    expect({ text: ended.text, exitCode: ended.exitCode }).toEqual({ text: ended.text, exitCode });
    if (exitCode === 1) expect(ended.text).toContain('ec2:TerminateInstances');
  }
  policy = policyFor('finalize');
  const last = await world.stage('finalize');
  // The workers' group has purple's tags. An operator has to delete it, and no call was denied.
  expect({ code: last.code, text: last.text }).toMatchObject({ code: 'LeftoversRemain' });
  expect(last.text).not.toContain('AccessDenied');
}

/** Lets another writer change the record right before onboard. The next prepare repairs it. */
async function loseRace(): Promise<string> {
  const { faults } = world.sandbox;
  const usual = faults.pick;
  // The program reads the newest version, then the one before, which does not exist yet.
  const struck: [operation: string, effect: FaultEffect | undefined][] = [
    ['PutParameter', { kind: 'lose_race' }],
    ['GetParameter', undefined],
    ['GetParameter', { kind: 'stale', ms: 60_000 }],
  ];
  faults.pick = (call) => {
    const isAboutRecord = call.parameters?.includes('deployment_record') === true;
    if (!isAboutRecord || call.operation !== struck[0]?.[0]) return usual(call);
    const effect = struck.shift()?.[1];
    return effect === undefined ? usual(call) : { id: 'race', service: 'ssm', effect };
  };
  policy = policyFor('onboard');
  const { code, text } = await world.stage('onboard');
  faults.pick = usual;
  expect({ code, text }).toEqual({ code: 'ForeignWrite', text });
  policy = everything;
  expect(await world.stage('prepare')).toMatchObject({ exitCode: 0 });
  return text;
}

/** Denies the lock's log of entries: no run starts without it. */
async function refuseHistory(): Promise<void> {
  policy = policyFor('onboard', 'ssm:GetParameterHistory');
  const { code, text } = await world.stage('onboard');
  expect({ code, text }).toEqual({ code: 'PermissionMissing', text });
  expect(text).toContain('not authorized to perform: ssm:GetParameterHistory');
  policy = everything;
}

test('every stage needs no more than its shipped policy, in the first and the second deployment', async () => {
  for (const round of ['first', 'second']) {
    if (round === 'second') leaveBehind('pink', 'purple');
    for (const stage of [
      'prepare',
      'onboard',
      'provision',
      'healthcheck',
      'status',
      'shutdown',
      'cleanup',
      'finalize',
    ]) {
      policy = stage === 'prepare' ? everything : policyFor(stage);
      const { exitCode, text: output } = await world.stage(stage);
      expect({ round, stage, exitCode, output: exitCode === 0 ? '' : output }).toEqual({
        round,
        stage,
        exitCode: 0,
        output: '',
      });
      if (round === 'first' || stage !== 'prepare') continue;
      await refuseHistory();
      expect(await loseRace()).toMatch(
        /Value of the other writer \(version \d+ in the history\): .*other-writer/,
      );
    }
  }
  await endByHand();
  const requested = new Set(wishes.map(({ action }) => action));
  // This world has no alarms, and one stack that rarely runs two commands at once.
  // test/aws/alarms/alarms.test.ts and test/aws/hosts/order-list.test.ts test the calls for these.
  const inThisWorld = permissions.filter(({ unless }) => unless !== 'no_alarms');
  const allowed = inThisWorld.map(({ action }) => action);
  const needed = inThisWorld
    .filter(({ optional }) => optional !== true)
    .map(({ action }) => action);
  expect([...requested].filter((action) => !allowed.includes(action))).toEqual([]);
  expect([...new Set(needed)].filter((action) => !requested.has(action))).toEqual([]);
  expect(world.sandbox.leftovers.list()).toEqual([]);
  expect(world.sandbox.groups.list().flatMap(({ waiting }) => waiting)).toEqual([]);
});

test('a role with the check document alone checks hosts, and sends them no script', async () => {
  const document = 'hosted-runner-checks-linux';
  const set = [`host.document=${document}`];
  const byDocument = permissions.filter(({ unless }) => unless !== 'check_document');
  const policyBy = (chosen: typeof permissions) =>
    toPolicy(policyOf(chosen, { ...place, document }));
  policy = everything;
  for (const stage of ['prepare', 'onboard', 'provision'])
    expect(await world.stage(stage)).toMatchObject({ exitCode: 0 });
  policy = policyBy(byDocument.filter(({ roles }) => roles.includes('healthcheck')));
  const denied = await world.stage('healthcheck', { set: ['healthcheck.timeout=4s'] });
  expect(denied.text).toContain('document/AWS-RunShellScript');
  const refused = await world.stage('healthcheck', { set });
  expect({ code: refused.code, text: refused.text }).toEqual({
    code: 'CheckDocumentRefused',
    text: expect.stringContaining(
      'hosted-runner check-document --runner linux --output check-document.json',
    ),
  });
  const printed = await world.run({ args: ['check-document', '--runner', 'linux'], set });
  const content = { Name: document, Content: printed.stdout, DocumentType: 'Command' } as const;
  policy = undefined;
  const ssm = connect(world.sandbox.ssmUrl);
  const call = { what: 'CreateDocument', effect: 'write' } as const;
  await ssm.send({ ...call, call: (client) => client.createDocument(content) });
  ssm.close();
  wishes = [];
  policy = policyBy(byDocument.filter(({ roles }) => roles.includes('healthcheck')));
  const checked = await world.stage('healthcheck', { set });
  expect({ exitCode: checked.exitCode, text: checked.text }).toMatchObject({ exitCode: 0 });
  const sent = wishes.filter(({ resource }) => resource.includes(':document/'));
  expect([...new Set(sent.map(({ resource }) => resource))]).toEqual([
    `arn:aws:ssm:eu-west-1:123456789012:document/${document}`,
  ]);
  policy = policyBy(byDocument);
  const { exitCode, text } = await world.stage('prepare', { set });
  expect({ exitCode, text }).toEqual({ exitCode: 0, text });
});
