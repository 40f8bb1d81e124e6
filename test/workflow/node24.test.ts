import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { read } from '../structure/tree.ts';
import { root } from '../support/program.ts';

/** First major version of each action that runs on Node 24, since GitHub has removed Node 20. */
const since: Readonly<Record<string, number>> = {
  'actions/attest-build-provenance': 3,
  'actions/checkout': 5,
  'actions/setup-node': 5,
  'actions/upload-artifact': 6,
  'hashicorp/setup-terraform': 4,
};

const folders = ['.github/workflows', 'examples/github', 'examples/github-runners'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => `${folder}/${name}`),
);

test.each(files)('%s uses no action that runs on Node 20', (file) => {
  const used = [...read(file).matchAll(/uses: ([\w-]+\/[\w-]+)@[0-9a-f]{40} # v(\d+)\./g)];
  const old = used.filter(([, name = '', major]) => Number(major) < (since[name] ?? Infinity));
  expect(old.map(([line]) => line)).toEqual([]);
});
