import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  hostFiles,
  openHost,
  type RunningScript,
  type StandInHost,
  until,
} from './stand-in-host.ts';

let host: StandInHost;
beforeEach(async () => {
  host = await openHost();
});
afterEach(() => host.close());

describe('the launch admission of a host of GitHub’s runner', () => {
  const answers = () => host.calls().filter((call) => call.includes('complete-lifecycle-action'));
  const started: RunningScript[] = [];
  afterEach(() => {
    for (const one of started.splice(0)) one.kill();
  });

  /**
   * Runs the admission script. Files with the names of systemd and the journal contain their
   * output.
   */
  function admit(env: Record<string, string> = {}): RunningScript {
    host.imds.values.set('autoscaling/target-lifecycle-state', 'InService');
    host.stub('aws', 'exit 0');
    host.stub(
      'systemctl',
      `case $1 in
is-active) cat "$HOST/active" ;;
show) cat "$HOST/invocation" ;;
is-failed) [ "$(cat "$HOST/active")" = failed ] ;;
esac`,
    );
    host.stub('journalctl', 'case $* in *=one) cat "$HOST/journal" ;; *) exit 1 ;; esac');
    const script = host.start(join(hostFiles, 'launch-admission.sh'), {
      env: {
        LISTENING_SECONDS: '0',
        LAUNCH_HOOK_NAME: 'admit',
        AUTOSCALING_GROUP_NAME: 'runners',
        HOST_STATE: join(hostFiles, 'actions-runner/host-state.sh'),
        ...env,
      },
    });
    started.push(script);
    return script;
  }

  function writeState(active: string, journal = '', invocation = 'one'): void {
    for (const [name, text] of Object.entries({ active, journal, invocation }))
      writeFileSync(join(host.folder, name), text);
  }

  const session = '√ Connected to GitHub\n2026-11-02 10:00:00Z: Listening for Jobs\n';

  test('admits the host once GitHub has given its listener a session', async () => {
    writeState('activating');
    const script = admit();
    await until(() => script.text().includes('waiting: the runner waits for its token'));
    writeState('active', 'A session for this runner already exists.\n');
    await until(() =>
      script.text().includes('waiting: GitHub has not opened a session for the runner'),
    );
    expect(answers()).toEqual([]);
    writeState('active', session);
    expect((await script.ended).code).toBe(0);
    expect(script.text()).toContain('admitted: the runner listens for jobs');
    expect(answers()).toEqual([expect.stringContaining('--lifecycle-action-result CONTINUE')]);
  });

  test.each([
    ['ended', ['inactive', session], 'the runner does not run'],
    ['is unknown to systemd', [''], 'the runner does not run'],
    ['has no session', ['active', ''], 'GitHub has not opened a session for the runner yet'],
    [
      'listened, and was refused for its version',
      ['active', `${session}Runner version v2.335.0 is deprecated and cannot receive messages.\n`],
      'GitHub no longer accepts this runner version',
    ],
    ['has no process known to systemd', ['active', session, ''], 'cannot be read'],
    ['reported a session before its last restart', ['active', session, 'two'], 'cannot be read'],
  ] as const)('does not count a runner that %s as healthy', async (_name, state, why) => {
    writeState(...(state as [string]));
    const script = admit({ ADMISSION_SECONDS: '0' });
    expect((await script.ended).code).toBe(1);
    expect(script.text()).toContain('abandoned after 0s: ');
    expect(script.text()).toContain(why);
    expect(answers()).toEqual([expect.stringContaining('--lifecycle-action-result ABANDON')]);
  });

  test('abandons the host at once if its runner has failed permanently', async () => {
    writeState('failed', session);
    const script = admit();
    expect((await script.ended).code).toBe(1);
    expect(script.text()).toContain('abandoned: actions-runner.service has failed permanently');
  });
});
