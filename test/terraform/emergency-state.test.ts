import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { stackShard } from '../contract/runner-host.contract.ts';
import { captured } from './plans/plan-verdicts.ts';
import { collect, openWorkshop, type Workshop } from './workshop.ts';

const pink = stackShard('pink', 'linux');

/**
 * Stand-in for Terraform whose apply cannot write the state. The stored state is empty, and a
 * pushed one is recorded.
 */
const standIn = `#!/bin/sh
case "$1 $2" in
'version -json') echo '{"terraform_version": "1.9.0"}' ;;
plan*) for word; do case "$word" in -out=*) echo saved > "\${word#-out=}" ;; esac; done ;;
show*) cat plan.json ;;
apply*) cp unsaved.json errored.tfstate
  echo '{"type": "apply_start"}'
  if [ -e locked ]; then
    # One that ends before anybody has seen it is nobody's process.
    for _ in $(seq 200); do [ -e .terraform/hosted-runner/linux-pink/holder.json ] && break; sleep 0.05; done
    echo '{"type": "diagnostic", "diagnostic": {"severity": "error", "summary": "Error releasing the state lock"}}'
  fi
  echo '{"type": "diagnostic", "diagnostic": {"severity": "error", "summary": "ExpiredToken: x"}}'
  exit 1 ;;
'state push') [ -e refused ] && { echo 'Error: cannot overwrite existing state' >&2; exit 1; }
  for word; do last=$word; done; cp "$last" pushed ;;
esac
`;

const state = JSON.stringify({
  version: 4,
  resources: [{ mode: 'managed', instances: [{ attributes: { id: 'i-0made' } }] }],
});

describe('a state that an apply could not write', () => {
  let workshop: Workshop;
  let kept: string;
  beforeEach(() => {
    workshop = openWorkshop();
    kept = join(workshop.folder, '.terraform/hosted-runner/linux-pink/errored.tfstate');
    mkdirSync(join(workshop.folder, 'bin'));
    workshop.write('bin/terraform', standIn);
    chmodSync(join(workshop.folder, 'bin/terraform'), 0o755);
    workshop.write('plan.json', JSON.stringify(captured('first-build')));
    workshop.write('unsaved.json', state);
  });
  afterEach(() => workshop.close());

  const open = () =>
    workshop.open({
      settings: { backendConfig: [], workspace: '{runner_name}-{shard}' },
      environment: { PATH: `${workshop.folder}/bin:${process.env['PATH'] ?? ''}` },
    });
  const at = (file: string) => join(workshop.folder, file);

  async function apply(): Promise<unknown> {
    const driver = open();
    const plan = await driver.plan(pink);
    return collect(driver.apply(pink, plan)).catch((error: unknown) => error);
  }

  test('stays in the shard’s folder, readable for its owner only, and the error reports it', async () => {
    expect(await apply()).toMatchObject({
      code: 'TerraformCredentials',
      fields: {
        why: expect.arrayContaining([
          `The state that it could not write is saved in ${kept}; the next run on this machine writes it.`,
        ]),
      },
    });
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(existsSync(at('errored.tfstate'))).toBe(false);
  });

  test('counts as the shard’s state until it is written', async () => {
    expect(await open().exists(pink)).toBe('absent');
    await apply();
    expect(await open().exists(pink)).toBe('present');
    expect(await open().listKnown(pink)).toEqual(['i-0made']);
    expect(await open().exists(stackShard('purple', 'linux'))).toBe('absent');
  });

  test('goes to the backend before the next plan, once', async () => {
    await apply();
    await open().plan(pink);
    expect(readFileSync(at('pushed'), 'utf8')).toBe(state);
    expect(existsSync(kept)).toBe(false);
  });

  test('keeps the note about the lock holder only if the lock could not be released', async () => {
    const note = at('.terraform/hosted-runner/linux-pink/holder.json');
    await apply();
    expect(existsSync(note)).toBe(false);
    workshop.write('locked', '');
    await apply();
    expect(existsSync(note)).toBe(true);
  });

  test('stays, and blocks the plan, if Terraform refuses it', async () => {
    await apply();
    workshop.write('refused', '');
    await expect(open().plan(pink)).rejects.toMatchObject({
      kind: 'refused',
      effect: 'none',
      source: 'terraform state push',
      detail: expect.stringContaining('cannot overwrite existing state'),
    });
    expect(existsSync(kept)).toBe(true);
  });

  test('stays encrypted by OpenTofu, with decryption steps and without a push', async () => {
    const fields = { serial: 1, lineage: 'x', meta: {}, encryption_version: 'v0' };
    workshop.write('unsaved.json', JSON.stringify({ ...fields, encrypted_data: 'bm90aGluZw==' }));
    await apply();
    expect(await open().exists(pink)).toBe('unknown');
    await expect(open().plan(pink)).rejects.toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: `${kept} is encrypted, but only a plain state can be pushed. Copy it as terraform.tfstate into an empty folder with the same encryption block, and run there: tofu init; tofu state pull > plain.tfstate. Then run beside the configuration: tofu state push plain.tfstate, and remove both files`,
    });
    expect(existsSync(kept)).toBe(true);
    expect(existsSync(at('pushed'))).toBe(false);
  });

  test('belongs to another run if it existed before the apply', async () => {
    workshop.write('bin/terraform', standIn.replace('cp unsaved.json errored.tfstate', ':'));
    workshop.write('errored.tfstate', 'somebody’s');
    await apply();
    expect(existsSync(kept)).toBe(false);
    expect(readFileSync(at('errored.tfstate'), 'utf8')).toBe('somebody’s');
  });
});
