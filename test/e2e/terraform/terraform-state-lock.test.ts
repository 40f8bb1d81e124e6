import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DeployError } from '../../../src/errors/deploy-error.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { type StateServer, s3Backend, startStateServer } from '../../terraform/state-server.ts';
import { collect, openWorkshop, rootModule, type Workshop } from '../../terraform/workshop.ts';

const pink = stackShard('pink', 'linux');
const id = '6f1c2a9e-0000-4000-8000-000000000001';

describeWithTools({ name: 'a state lock that another run left', needs: ['terraform'] }, () => {
  let workshop: Workshop;
  let server: StateServer;
  beforeEach(async () => {
    workshop = openWorkshop(`${s3Backend}${rootModule.replace('backend "local" {}', '')}`);
    server = await startStateServer();
  });
  afterEach(async () => {
    workshop.close();
    await server.close();
  });

  const open = () => {
    const { environment, backendConfig } = server;
    return workshop.open({ environment, settings: { backendConfig } });
  };

  test('breaks with the command that the error prints', async () => {
    const infrastructure = open();
    await collect(infrastructure.apply(pink, await infrastructure.plan(pink)));
    const [state = ''] = [...server.objects.keys()].filter((key) => key.endsWith('.tfstate'));
    const info = {
      ID: id,
      Operation: 'OperationTypeApply',
      Info: '',
      Who: 'deployer@elsewhere',
      Version: '1.13.5',
      Created: '2024-11-02T08:00:00Z',
      Path: state.replace(/^\//, ''),
    };
    server.objects.set(`${state}.tflock`, JSON.stringify(info));
    const error: DeployError = await open()
      .plan(pink)
      .then(
        (plan) => Promise.reject(new Error(`it was not locked: ${plan.kind}`)),
        (thrown) => thrown,
      );
    expect([error.code, error.exitCode]).toEqual(['TerraformStateLocked', 3]);
    const rc = join(workshop.folder, 'cli.tfrc');
    const [, line = ''] = error.fields.fix ?? [];
    const command = line.replace(/^Or, if you are sure that the lock owner has ended: /, '');
    expect(command).toBe(
      `TF_DATA_DIR=.terraform/hosted-runner/linux-pink terraform -chdir=${workshop.folder} force-unlock ${id}`,
    );
    expect(await type(command, { ...server.environment, TF_CLI_CONFIG_FILE: rc })).toEqual({
      exitCode: 0,
      stderr: '',
    });
    expect(server.locks()).toEqual([]);
    expect(await open().plan(pink)).toMatchObject({ kind: 'empty' });
  });
});

/** Types a command in a shell, with `yes` as the operator's answer. */
function type(command: string, environment: Readonly<Record<string, string>>) {
  const child = spawn('/bin/sh', ['-c', command], { env: { ...process.env, ...environment } });
  let stderr = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end('yes\n');
  return new Promise((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, stderr }));
  });
}
