import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listManagedHosts } from '../../../src/adapters/aws/hosts/hosts.ts';
import { createTagging } from '../../../src/adapters/aws/services.ts';
import { optionsAt } from '../cloud.ts';
import { startFakeSsm } from '../fake-ssm.ts';
import { connect } from '../sandbox-aws.ts';
import { machineReadings } from './machine-answers.ts';
import { changesOf, pink, type Reading, understood, watched, withMore } from './reading-answers.ts';
import { roleReadings } from './role-answers.ts';
import { ssmReadings } from './ssm-answers.ts';
import { taggedReadings } from './tagged-answers.ts';

const readings: readonly Reading[] = [
  ...ssmReadings,
  ...roleReadings,
  ...machineReadings,
  ...taggedReadings,
];

/** Calls whose successful response is never read. */
const unread = [
  'ec2-instances.ts terminateInstances',
  'aws-inventory.ts deleteSecurityGroup',
  'aws-inventory.ts deleteNetworkInterface',
  'auto-scaling-hooks.ts completeLifecycleAction',
  'parameter-store.ts deleteParameter',
  'roles.ts removeRoleFromInstanceProfile',
  'roles.ts deleteInstanceProfile',
  'roles.ts detachRolePolicy',
  'roles.ts deleteRolePolicy',
  'roles.ts deleteRole',
  // These calls only test access.
  'trials.ts getParameter',
  'trials.ts getParameters',
  'trials.ts describeInstanceInformation',
  'trials.ts describeInstances',
  'trials.ts describeTags',
  'trials.ts getResources',
  'trials.ts describeAutoScalingGroups',
];

test('every AWS call whose response is read is tested here', async () => {
  const found = new Set<string>();
  const files = await readdir('src/adapters/aws', { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.ts')))
    for (const [, operation] of (await readFile(`src/adapters/aws/${file}`, 'utf8')).matchAll(
      /\bclient\s*\.((?!(?:send|destroy)\()[a-z]\w+)\(/g,
    ))
      found.add(`${basename(file)} ${operation}`);
  const tried = new Set([...unread, ...readings.map(({ operation }) => operation)]);
  expect([...tried].sort()).toEqual([...found].sort());
});

// Every list has the token of a next page, and only `readPages` reads it.
// A language feature that awaits or prints a value reads its methods `then` and `toJSON`.
const everywhere = /(?:^|\.)(?:NextToken|PaginationToken|then|toJSON)$/;

test('every field that is read from an AWS response occurs in a tested response', async () => {
  const given = new Set<string>();
  const read = new Set<string>();
  for (const reading of readings) {
    const { operation, answer } = reading;
    for (const path of pathsOf(answer)) given.add(`${operation} ${path}`);
    const onRead = (path: string) => {
      if (!everywhere.test(path)) read.add(`${operation} ${path}`);
    };
    await understood(reading, watched(answer, onRead) as object);
  }
  expect([...read].filter((path) => !given.has(path))).toEqual([]);
  expect(read.size).toBeGreaterThan(50);
});

describe.each(readings.map((reading, nth) => ({ ...reading, nth })))(
  '$operation, $nth',
  (reading) => {
    const { answer, is, otherwise } = reading;

    test('returns the documented values, whatever else the response contains', async () => {
      expect(await understood(reading, answer)).toBe(is);
      expect(await understood(reading, withMore(answer) as object)).toBe(is);
    });

    test('decides only by the fields that it names', async () => {
      const seen: Record<string, string> = {};
      for (const [change, changed] of Object.entries(changesOf(answer))) {
        const result = await understood(reading, changed as object);
        if (result !== is) seen[change] = result;
      }
      expect(seen).toEqual(otherwise);
    });
  },
);

test('a null in JSON counts as a missing field', async () => {
  const server = await startFakeSsm(
    { body: { InstanceInformationList: null } },
    { body: { ResourceTagMappingList: null } },
  );
  const ssm = connect(server.url);
  await expect(listManagedHosts(ssm, pink)).rejects.toThrow(
    'the response has no InstanceInformationList',
  );
  const tagging = createTagging(optionsAt(server.url));
  const answer = await tagging.send({
    what: 'GetResources',
    effect: 'read',
    call: (client) => client.getResources({}),
  });
  expect(answer).toMatchObject({ kind: 'answer' });
  expect(answer).not.toHaveProperty('value.ResourceTagMappingList');
  for (const service of [ssm, tagging]) service.close();
  await server.close();
});

/** Lists the paths of all fields, without list indexes. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, path));
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [here, ...pathsOf(inner, here)];
  });
}
