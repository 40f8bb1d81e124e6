import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

const roles = [
  'deploy',
  'prepare',
  'onboard',
  'provision',
  'promote',
  'shutdown',
  'bake',
  'cleanup',
  'finalize',
  'healthcheck',
  'status',
  'renew',
  'operator',
];

/** The policies and the table of docs/use/permissions.md, from one table of actions. */
export const iamGenerators = [
  ...roles.map((role) => ({
    name: 'the table of permissions',
    output: `examples/iam/${role}.json`,
    load: async () => {
      const { policyFiles } = await compiled();
      const path = `examples/iam/${role}.json`;
      return policyFiles().find((/** @type {{ path: string }} */ one) => one.path === path).text;
    },
  })),
  {
    name: 'the table of permissions',
    output: 'docs/use/permissions.md',
    load: async () => {
      const { renderPermissions } = await compiled();
      const text = readFileSync(join(root, 'docs/use/permissions.md'), 'utf8');
      const begin = '<!-- generated: the actions of AWS -->\n';
      const end = '\n<!-- end -->';
      const [before = '', rest = ''] = text.split(begin);
      return `${before}${begin}${renderPermissions()}${end}${rest.split(end)[1] ?? ''}`;
    },
  },
];

function compiled() {
  // By an address, so that the type checker does not follow it into compiled files.
  return import(new URL('../../build/generate/policies.js', import.meta.url).href);
}
