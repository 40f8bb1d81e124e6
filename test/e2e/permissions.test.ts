import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { permissions } from '../../src/aws/permissions.ts';
import { policyOf } from '../../src/aws/policies.ts';
import type { StackPlace } from '../../src/aws/scopes.ts';
import type { AccessWish } from '../../src/sandbox/aws/authorization.ts';
import { allows, type Policy, toPolicy } from '../docs/policy.ts';
import { openWorld, type World } from './by-hand/world.ts';

const place: StackPlace = {
  partition: 'aws',
  account: '123456789012',
  region: 'eu-west-1',
  runnerName: 'linux',
  shards: ['pink', 'purple'],
  parameterPrefix: '/gitlab/dedicated/runner/linux/',
  stackTag: 'hosted-runner:stack',
  shardTag: 'hosted-runner:shard',
};

let world: World;
let policy: Policy | undefined;
let wishes: AccessWish[] = [];
beforeEach(async () => {
  policy = undefined;
  wishes = [];
  world = await openWorld({
    admit(wish) {
      wishes.push(wish);
      return policy === undefined || allows(policy, wish);
    },
  });
});
afterEach(() => world.close());

function policyFor(role: string, without?: string): Policy {
  const chosen = permissions.filter(
    ({ roles, action }) => roles.some((one) => one === role) && action !== without,
  );
  return toPolicy(policyOf(chosen, place));
}

/** Prepare is about the whole pipeline, so that its simulation is answered for one role for all. */
const everything = toPolicy(policyOf(permissions, place));

/** The retiring shard left something; a worker of the one that stays has died. */
function leaveBehind(retiring: string, staying: string): void {
  const tagsOf = (shard: string) => ({ [place.stackTag]: 'linux', [place.shardTag]: shard });
  const { leftovers, groups } = world.sandbox;
  leftovers.add({ type: 'security-group', id: 'sg-0left', tags: tagsOf(retiring) });
  leftovers.add({ type: 'network-interface', id: 'eni-0left', tags: tagsOf(retiring) });
  const waiting = ['i-0123456789abcdef0'];
  groups.add({ name: 'workers', hook: 'drain', waiting, tags: tagsOf(staying) });
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
    }
  }
  const asked = new Set(wishes.map(({ action }) => action));
  const told = [...new Set(permissions.map(({ action }) => action))];
  expect([...asked].filter((action) => !told.includes(action))).toEqual([]);
  // Asked for when somebody else writes, and where a killed apply or a dead host left a machine.
  const rare = ['ssm:GetParameterHistory', 'ec2:TerminateInstances', 'ec2:DescribeInstances'];
  expect(told.filter((action) => !asked.has(action) && !rare.includes(action))).toEqual([]);
  expect(world.sandbox.leftovers.list()).toEqual([]);
  expect(world.sandbox.groups.list().flatMap(({ waiting }) => waiting)).toEqual([]);
}, 240_000);
