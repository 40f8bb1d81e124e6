import { formatLine } from '../../manager/log-format.ts';
import { verifyLine } from '../../manager/log-lines.ts';
import { abilitiesOf } from '../../manager/version.ts';
import type { Inside } from '../inside.ts';
import { runReleased } from '../released-runner.ts';
import type { CallResult } from './calls.ts';

/** Runs the manager's command line: the released program's, or the part that scripts use. */
export async function gitlabRunner(inside: Inside, words: readonly string[]): Promise<CallResult> {
  if (inside.released !== undefined) return runReleased(inside.released, words);
  const verb = words[0] ?? '';
  const version = inside.behaviour.runnerVersion;
  if (verb === '--version' || verb === '-v') {
    return {
      code: 0,
      out: `Version:      ${version}\nGit revision: sandbox0\nOS/Arch:      linux/amd64\n`,
    };
  }
  if (verb === 'status') {
    const running = inside.unit?.isRunning === true;
    return {
      code: running ? 0 : 1,
      out: `gitlab-runner: Service is ${running ? '' : 'not '}running\n`,
    };
  }
  if (verb === 'verify') return verify(inside);
  return { code: 1, err: `gitlab-runner: '${verb}' is not answered in the sandbox\n` };
}

/** Verifies with the sandbox's GitLab, which counts as a contact. Only a 403 is a failure. */
async function verify(inside: Inside): Promise<CallResult> {
  const { unit } = inside;
  if (unit === undefined) return { code: 1, err: 'FATAL: the configuration cannot be read\n' };
  const { settings } = unit;
  const { url, token, systemId, version } = settings;
  const formatResult = (status: number, reason: string) =>
    `${formatLine(verifyLine(settings, status, reason), { format: 'runner', at: new Date(inside.now()) })}\n`;
  try {
    const response = await fetch(`${url}/api/v4/runners/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token,
        ...(abilitiesOf(version).sendsSystemId ? { system_id: systemId } : {}),
      }),
      signal: AbortSignal.timeout(10_000),
    });
    const { status } = response;
    const err = formatResult(status, `POST ${url}/api/v4/runners/verify: ${status}`);
    return status === 403
      ? { code: 1, err: `${err}FATAL: Failed to verify runners\n` }
      : { code: 0, err };
  } catch (error) {
    return { code: 0, err: formatResult(-1, (error as Error).message) };
  }
}
