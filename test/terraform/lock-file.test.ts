import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { RunnerName } from '../../src/domain/shard.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

let workshop: Workshop;
beforeEach(() => {
  workshop = openWorkshop();
  // The stand-in records its arguments and fails.
  workshop.write(
    'terraform',
    `#!/bin/sh
echo "$*" >>'${workshop.folder}/asked'
case $1 in version) echo '{"terraform_version": "1.9.8"}' ;; *) exit 1 ;; esac
`,
  );
  chmodSync(join(workshop.folder, 'terraform'), 0o755);
});
afterEach(() => workshop.close());

async function initialisations(): Promise<string[]> {
  const PATH = `${workshop.folder}:/usr/bin:/bin`;
  await workshop.open({ environment: { PATH } }).probe('linux' as RunnerName);
  const callsPath = join(workshop.folder, 'asked');
  const lines = existsSync(callsPath) ? readFileSync(callsPath, 'utf8').trim().split('\n') : [];
  return lines.filter((line) => line.startsWith('init '));
}

test('a committed lock file is not fixed in the checkout of a job', async () => {
  workshop.write('.terraform.lock.hcl', '');
  const calls = await initialisations();
  expect(calls).not.toEqual([]);
  expect(calls.filter((line) => !line.includes(' -lockfile=readonly '))).toEqual([]);
});

test('a missing lock file is written', async () => {
  const calls = await initialisations();
  expect(calls).not.toEqual([]);
  expect(calls.filter((line) => line.includes('-lockfile'))).toEqual([]);
});
