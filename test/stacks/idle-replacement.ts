import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureConfiguration } from '../../sandbox/configuration.ts';
import { promptAws } from '../../sandbox/options.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';

export interface IdleReplacement {
  readonly exitCode: number | null;
  readonly output: string;
  /** Calls of the command to GitLab and to Parameter Store, without the runners' own. */
  readonly gitlabCalls: number;
  readonly parameterCalls: number;
}

/** Default configuration, except that the sandbox's runners request jobs every 3 s. */
const windows = {
  healthcheckTimeoutMs: 900_000,
  healthcheckPollMs: 5000,
  pollOfRunnerMs: 5000,
  confirmationMs: 120_000,
  drainPollMs: 1500,
  servicePollMs: 60_000,
};

/** Replaces a stack without jobs by one `deploy` of the bundle, in wall-clock time. */
export async function replaceIdleStack(bundle: string): Promise<IdleReplacement> {
  const folder = mkdtempSync(join(tmpdir(), 'idle-replacement-'));
  const program = [process.execPath, bundle];
  const searchPath = process.env['PATH'] ?? '';
  const sandbox = await startSandbox({ folder, program, searchPath, windows: promptAws });
  const calls = { gitlab: 0, parameters: 0 };
  const { pick } = sandbox.faults;
  sandbox.faults.pick = (call) => {
    if (call.service === 'gitlab') calls.gitlab += 1;
    if (call.service === 'ssm' && /Parameter/.test(call.operation ?? '')) calls.parameters += 1;
    return pick(call);
  };
  const config = ensureConfiguration({ folder, program, url: sandbox.url, windows });
  const deploy = (...args: readonly string[]) =>
    run([bundle, 'deploy', '--runner', 'linux', ...args], {
      ...sandbox.environment,
      HOSTED_RUNNER_CONFIG: config,
      HOME: folder,
      PATH: searchPath,
    });
  try {
    const first = await deploy();
    const before = { ...calls };
    const ended = first.exitCode === 0 ? await deploy('--again', 'calls are counted') : first;
    return {
      ...ended,
      gitlabCalls: calls.gitlab - before.gitlab,
      parameterCalls: calls.parameters - before.parameters,
    };
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise<Pick<IdleReplacement, 'exitCode' | 'output'>>((settle, refuse) => {
    child.on('error', refuse);
    child.on('close', (exitCode) => settle({ exitCode, output }));
  });
}
