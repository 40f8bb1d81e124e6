import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { permissions } from '../../src/adapters/aws/access/permissions.ts';
import { emulated, renderEmulated } from '../e2e/aws/emulated.ts';

const besides = ['AssumeRoleWithWebIdentity', 'GetCallerIdentity', 'SimulatePrincipalPolicy'];

test('every call of ours to AWS is said to be emulated or not', () => {
  const called = permissions.map(({ action }) => action.slice(action.indexOf(':') + 1));
  expect(Object.keys(emulated).sort()).toEqual([...new Set([...called, ...besides])].sort());
});

test('docs/use/sandbox.md has the list', () => {
  const text = readFileSync(new URL('../../docs/use/sandbox.md', import.meta.url), 'utf8');
  expect(text).toContain(renderEmulated());
});
