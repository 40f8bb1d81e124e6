import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

// Stands in for `hosted-runner` on the PATH of gitlab-ci-local's jobs. It runs the program with the
// variables that GitLab and its runner would set, and reports the job's status to GitLab.
// PLAYED_JOBS: file with facts of each job by name. PLAYED_RESULTS: file with one line per call.

const { env, argv } = process;
const name = env['CI_JOB_NAME'] ?? '';
const facts = JSON.parse(readFileSync(env['PLAYED_JOBS'] ?? '', 'utf8'))[name];

await reportStatus('running');
const exitCode = await run();
const result = { name, args: argv.slice(2), exitCode };
appendFileSync(env['PLAYED_RESULTS'] ?? '', `${JSON.stringify(result)}\n`);
if (facts.afterwards !== undefined) writeFileSync(facts.afterwards, '');
await reportStatus(exitCode === 0 ? 'success' : 'failed');
process.exitCode = exitCode;

/** @returns {Promise<number>} */
function run() {
  const child = spawn(process.execPath, [env['PLAYED_PROGRAM'] ?? '', ...argv.slice(2)], {
    env: { ...env, ...facts.env, CI_JOB_ID: String(facts.id) },
    stdio: 'inherit',
  });
  // A dying runner also ends its job.
  const killing =
    facts.killAfterMs === undefined
      ? undefined
      : setTimeout(() => child.kill('SIGKILL'), facts.killAfterMs);
  return new Promise((settle) => {
    child.on('close', (code) => {
      clearTimeout(killing);
      settle(code ?? 137);
    });
  });
}

/** @param {string} status */
async function reportStatus(status) {
  const address = `${env['HOSTED_RUNNER_SANDBOX_URL']}/sandbox/jobs/${facts.id}`;
  const body = JSON.stringify({ status });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(address, { method: 'PUT', body, headers });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
}
