import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { TerraformInfrastructure } from '../../src/domain/settings.ts';
import type { RunnerName } from '../../src/domain/shard.ts';
import { describeWithTools } from '../support/tools.ts';
import { openWorkshop, rootModule, usual, type Workshop } from './workshop.ts';

const linux = 'linux' as RunnerName;

describeWithTools({ name: 'the Terraform probe', needs: ['terraform'] }, () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = openWorkshop();
  });
  afterEach(() => workshop.close());

  async function probe(
    settings: Partial<TerraformInfrastructure> = {},
    environment: Record<string, string> = {},
  ): Promise<string[]> {
    const results = await workshop.open({ settings, environment }).probe(linux);
    return results.map(({ what, outcome, detail }) => `${outcome} ${what}: ${detail}`);
  }

  const refused = (words: RegExp) => [
    expect.stringMatching(new RegExp(`^missing terraform in .*${words.source}`)),
  ];

  test('reports nothing if everything exists, and creates neither a state nor a workspace', async () => {
    expect(await probe({ backendConfig: [], workspace: '{runner_name}-{shard}' })).toEqual([
      expect.stringMatching(/^granted terraform in /),
    ]);
    expect(existsSync(join(workshop.folder, 'terraform.tfstate'))).toBe(false);
    expect(existsSync(join(workshop.folder, 'terraform.tfstate.d'))).toBe(false);
  });

  test('reports a missing program, directory and variables file', async () => {
    expect(await probe({}, { PATH: workshop.folder })).toEqual(
      refused(/terraform was not found on PATH/),
    );
    expect(await probe({ directory: join(workshop.folder, 'nowhere') })).toEqual(
      refused(/which is not a directory/),
    );
    expect(await probe({ varFiles: ['nowhere.tfvars'] })).toEqual(
      refused(/Failed to read variables file/),
    );
  });

  test('reports a program that is too old', async () => {
    const bin = join(workshop.folder, 'terraform');
    writeFileSync(bin, '#!/bin/sh\necho \'{"terraform_version": "1.4.7"}\'\n', { mode: 0o755 });
    expect(await probe({}, { PATH: `${workshop.folder}:/usr/bin:/bin` })).toEqual(
      refused(/terraform 1\.4\.7 is too old; 1\.5\.0 is the oldest supported version/),
    );
  });

  test.each<[string, Partial<TerraformInfrastructure>, RegExp]>([
    ['a variable without a value', { variables: ['shard={shard}'] }, /runner_name.* is not set/],
    [
      'a variable that the module lacks',
      { variables: [...usual.variables, 'colour=red'] },
      /Value for undeclared variable/,
    ],
    [
      'a setting that the backend lacks',
      { backendConfig: ['bucket=states'] },
      /Invalid backend configuration argument/,
    ],
  ])('reports %s', async (_, settings, words) => {
    expect(await probe(settings)).toEqual(refused(words));
  });

  test('reports a configuration that Terraform does not accept', async () => {
    workshop.write('broken.tf', 'output "lost" { value = var.lost }\n');
    expect(await probe()).toEqual(refused(/Reference to undeclared input variable/));
  });

  test('reports a lock file that does not fit the providers, and does not change it', async () => {
    const lockFile = join(workshop.folder, '.terraform.lock.hcl');
    workshop.write('.terraform.lock.hcl', '# of other providers\n');
    workshop.write(
      'providers.tf',
      'terraform {\n  required_providers {\n    aws = { source = "hashicorp/aws" }\n  }\n}\n',
    );
    expect(await probe()).toEqual(refused(/terraform init for pink/));
    rmSync(lockFile);
  });

  test('probes both shards if each has its own directory', async () => {
    expect(await probe({ directory: `${workshop.folder}/{shard}` })).toEqual([
      expect.stringMatching(/^missing terraform in .*pink: /),
      expect.stringMatching(/^missing terraform in .*purple: /),
    ]);
  });

  test('reads the state of the backend without holding its lock', async () => {
    workshop.write('linux-pink.tfstate', 'not a state');
    expect(await probe()).toEqual(refused(/linux-pink\.tfstate|state/));
    workshop.write('main.tf', rootModule);
  });
});
