import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SSM } from '@aws-sdk/client-ssm';
import { promptAws, type SandboxOptions } from '../../../sandbox/options.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';

const managerProgram = [
  process.execPath,
  fileURLToPath(new URL('../manager/entry.js', import.meta.url)),
];

/** Opens a sandbox with its own folder and short windows. */
export async function openSandbox(
  options: Partial<SandboxOptions> = {},
): Promise<{ sandbox: Sandbox; ssm: SSM; folder: string; close(): Promise<void> }> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'sandbox-'));
  const sandbox = await startSandbox({
    folder,
    program: managerProgram,
    searchPath: process.env['PATH'] ?? '',
    ...options,
    windows: {
      ...promptAws,
      commandVisibleAfterMs: 30,
      parameterWritesPerSecond: 0,
      ...options.windows,
    },
    behaviour: {
      bootDelayMs: 20,
      agentDelayMs: 0,
      checkIntervalMs: 50,
      traceIntervalMs: 50,
      resourceMs: 1,
      ...options.behaviour,
    },
  });
  const ssm = new SSM({
    endpoint: sandbox.ssmUrl,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    maxAttempts: 1,
  });
  return {
    sandbox,
    ssm,
    folder,
    async close() {
      ssm.destroy();
      await sandbox.stop();
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Polls until the condition holds. The test's time limit ends an endless wait. */
/**
 * Decides whether a process is alive. One that has ended, even without a wait of its parent, is
 * not.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export async function until<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

/** Runs a script on an instance like the product: SendCommand, then polls of the result. */
export async function runScript(ssm: SSM, instanceId: string, script: string) {
  const { Command } = await ssm.sendCommand({
    DocumentName: 'AWS-RunShellScript',
    InstanceIds: [instanceId],
    Parameters: { commands: script.split('\n') },
  });
  return until(async () => {
    const result = await ssm
      .getCommandInvocation({ CommandId: Command?.CommandId ?? '', InstanceId: instanceId })
      .catch((error: Error) => {
        if (error.name !== 'InvocationDoesNotExist') throw error;
      });
    if (result?.Status === undefined || ['Pending', 'InProgress'].includes(result.Status)) return;
    return result;
  });
}

/** Registers a group runner in the sandbox's GitLab and stores its token for the host. */
export async function registerRunner(
  { sandbox, ssm }: { sandbox: Sandbox; ssm: SSM },
  { runnerName = 'linux', shard = 'pink', tags = ['linux'] } = {},
): Promise<{ id: number; token: string }> {
  const response = await fetch(`${sandbox.url}/api/v4/user/runners`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'private-token': sandbox.gitlab.deployerToken(),
    },
    body: JSON.stringify({
      runner_type: 'group_type',
      group_id: 10,
      description: `${shard}-${runnerName}`,
      tag_list: tags,
      run_untagged: false,
    }),
  });
  const runner = (await response.json()) as { id: number; token: string };
  await ssm.putParameter({
    Name: `/gitlab/dedicated/runner/${runnerName}/${shard}/runner_token`,
    Value: runner.token,
    Type: 'SecureString',
    Overwrite: true,
  });
  return runner;
}
