import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listManagedHosts } from '../../../src/adapters/aws/hosts/hosts.ts';
import { createTagging } from '../../../src/adapters/aws/services.ts';
import { askingAt } from '../cloud.ts';
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

/** Calls of which only the refusal is read. */
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
  // Whether AWS lets us ask.
  'trials.ts getParameter',
  'trials.ts getParameters',
  'trials.ts describeInstanceInformation',
  'trials.ts describeInstances',
  'trials.ts describeTags',
  'trials.ts getResources',
  'trials.ts describeAutoScalingGroups',
];

test('every call of AWS whose answer is read is tried here', async () => {
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

// The token of a next page is every list's, and `readPages` alone reads it;
// whoever awaits or prints a value asks it for a method first.
const everywhere = /(?:^|\.)(?:NextToken|PaginationToken|then|toJSON)$/;

test('every field that is read of an answer of AWS stands in one that is tried here', async () => {
  const given = new Set<string>();
  const read = new Set<string>();
  for (const reading of readings) {
    const { operation, answer } = reading;
    for (const path of pathsOf(answer)) given.add(`${operation} ${path}`);
    const look = (path: string) => {
      if (!everywhere.test(path)) read.add(`${operation} ${path}`);
    };
    await understood(reading, watched(answer, look) as object);
  }
  expect([...read].filter((path) => !given.has(path))).toEqual([]);
  expect(read.size).toBeGreaterThan(50);
});

describe.each(readings.map((reading, nth) => ({ ...reading, nth })))(
  '$operation, $nth',
  (reading) => {
    const { answer, is, otherwise } = reading;

    test('is read as it is documented, whatever else comes with it', async () => {
      expect(await understood(reading, answer)).toBe(is);
      expect(await understood(reading, withMore(answer) as object)).toBe(is);
    });

    test('decides by what it names, and by nothing else', async () => {
      const seen: Record<string, string> = {};
      for (const [change, changed] of Object.entries(changesOf(answer))) {
        const told = await understood(reading, changed as object);
        if (told !== is) seen[change] = told;
      }
      expect(seen).toEqual(otherwise);
    });
  },
);

test('a null of JSON is a field that is not there', async () => {
  const server = await startFakeSsm(
    { body: { InstanceInformationList: null } },
    { body: { ResourceTagMappingList: null } },
  );
  const ssm = connect(server.url);
  await expect(listManagedHosts(ssm, pink)).rejects.toThrow(
    'the answer has no InstanceInformationList',
  );
  const tagging = createTagging(askingAt(server.url));
  const answer = await tagging.ask({
    what: 'GetResources',
    effect: 'read',
    call: (client) => client.getResources({}),
  });
  expect(answer).toMatchObject({ kind: 'answer' });
  expect(answer).not.toHaveProperty('value.ResourceTagMappingList');
  for (const service of [ssm, tagging]) service.close();
  await server.close();
});

/** With lists left out of the path. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, path));
  if (typeof value !== 'object' || value === null || value instanceof Date) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path === '' ? name : `${path}.${name}`;
    return [here, ...pathsOf(inner, here)];
  });
}
