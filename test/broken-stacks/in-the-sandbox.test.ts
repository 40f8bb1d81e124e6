import { expect, test } from '@jest/globals';
import { activeRows } from '../e2e/broken/active-rows.ts';
import { candidateRows } from '../e2e/broken/candidate-rows.ts';
import { lateRows } from '../e2e/broken/late-rows.ts';
import { sourceRows, stateRows } from '../e2e/broken/state-rows.ts';
import { terraformRows } from '../e2e/broken/terraform-rows.ts';
import { brokenStacks } from './broken-stacks.ts';

const rows = [stateRows, sourceRows, candidateRows, activeRows, lateRows].flat();

/** In virtual time alone, each with why. */
const alone: Readonly<Record<string, string>> = {
  'status that names no shard of the stack': 'its AllowedPattern keeps it out of Parameter Store',
  'record lost while both shards serve': 'record lost, and both shards serve, are there one by one',
  'a security group of a shard that is gone': 'the sandbox says of no driver what its state knows',
  'a volume of a shard that is gone': 'the sandbox says of no driver what its state knows',
  'manager started by hand on the inactive shard, as the active one had died':
    'a manager started there, and an active shard that died, are there one by one',
  'something of the inactive shard left, which does not serve': 'a manager started there is there',
  'the old shard half destroyed, and a disk of it left': 'a log group of it is left with Terraform',
  'the candidate half built': 'an apply that fails half-way is a stage’s own e2e test',
  'record and status lost': 'each of them lost is there',
  'status swapped by hand to a candidate that is healthy': 'swapped at rest is there',
  'nothing was ever deployed': 'every other row begins so',
  'the agent of the candidate is lost from the beginning': 'an instance that hangs is there',
  "the candidate's clock off by an hour": 'hosts of the sandbox have one clock',
  'the lock of a run that nobody can ask after':
    'a run in the sandbox is a process of this machine',
  'a drain that was held before its signal was sent': 'a hold there stops a drain at its jobs',
  "GitLab's token is revoked": 'GitLab that is down is there, and says as little',
  'right after the promotion the new shard hangs': 'one that dies is there',
  'right after the promotion the new shard is paused by hand':
    'paused at rest is there, and opened by the same command',
  'the new shard came and went, so that the old one was opened again twice':
    'two drains of ten minutes each come before it',
  'the old shard opened by hand while it drained': 'the drains of e2e are opened by hand',
  'the old shard opened by hand after its drain': 'the drains of e2e are opened by hand',
  'the old shard opened by hand where nothing goes back to it any more':
    'the scenarios cut a cleanup off at every call',
  'a retreat that was cut off': 'the scenarios cut it off at every call',
  'a deployment whose pipeline runs': 'by hand there is no pipeline that goes on',
  'a customer’s job on a paused active shard is left alone': 'customers are in every row',
};

test('every broken stack is built in the sandbox, or it says why not', () => {
  const built = new Set([...rows, ...terraformRows].map(({ name }) => name));
  const missing = brokenStacks.examined.map(({ name }) => name).filter((name) => !built.has(name));
  expect(missing.sort()).toEqual(Object.keys(alone).sort());
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(30);
});
