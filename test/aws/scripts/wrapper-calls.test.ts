import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { readReport } from '../../../src/adapters/aws/hosts/host-report.ts';
import { judgeStop } from '../../../src/adapters/aws/hosts/stop-result.ts';
import { hostCheckScript } from '../../../src/adapters/aws/scripts/host-check-script.ts';
import { killScript } from '../../../src/adapters/aws/scripts/kill-script.ts';
import { quitScript } from '../../../src/adapters/aws/scripts/quit-script.ts';
import type { HostSettings } from '../../../src/domain/settings.ts';
import { describeWithTools } from '../../support/tools.ts';
import { dockerHost, systemdHost } from '../sandbox-aws.ts';
import { runOnHost } from './on-a-host.ts';

const standIn = fileURLToPath(new URL('./wrapper-stand-in.js', import.meta.url));

/** Stubs for the host. The wrapper is a separate process, which the real curl calls. */
const container =
  'case "$line" in *StartedAt*) echo running c0ffee 7 ;; *Status*) echo running ;; esac';
const unit = `
case "$line" in
  show*) printf '%s\\n' LoadState=loaded ActiveState=active MainPID=4711 ExecMainStartTimestampMonotonic=7 Restart=no ;;
esac`;
const hosts: [string, HostSettings, Record<string, string>][] = [
  ['a container', dockerHost, { docker: container }],
  ['a unit', systemdHost, { systemctl: unit }],
];

describeWithTools({ name: 'calls of the gRPC wrapper', needs: ['curl'] }, () => {
  describe.each(hosts)('the gRPC wrapper as the main process of %s', (_, plain, stubs) => {
    const open: { child: ChildProcess; folder: string }[] = [];
    afterEach(async () => {
      for (const { child, folder } of open.splice(0)) {
        child.kill('SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      }
    });

    async function wrapped(manner = 'obeys') {
      const folder = mkdtempSync(join(tmpdir(), 'wrapper-'));
      const socket = join(folder, 's');
      const child = spawn(process.execPath, [standIn, socket, manner], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      open.push({ child, folder });
      const received: string[] = [];
      await new Promise<void>((resolve) =>
        child.stdout?.on('data', (chunk: Buffer) => {
          received.push(...chunk.toString().trim().split('\n'));
          resolve();
        }),
      );
      const settings: HostSettings = { ...plain, wrapper: `unix://${socket}` };
      const stop = (script: string) => {
        const hurried = script.replaceAll(
          '--max-time 5',
          `--max-time ${manner === 'silent' ? 1 : 300}`,
        );
        const ran = runOnHost(`MACHINE_ROOT=$STUB\n${hurried}`, { ...stubs, sleep: 'exit 0' });
        return { verdict: judgeStop(ran.text, (text) => text), calls: ran.calls };
      };
      return {
        settings,
        quit: () => stop(quitScript(settings)),
        kill: () => stop(killScript(settings)),
        status: () =>
          readReport(runOnHost(hostCheckScript(settings), stubs).output, String).wrapper,
        /**
         * Returns the methods of all calls. It first ends the wrapper, to read its complete output.
         */
        heard: async () => {
          const closed = once(child, 'close');
          child.kill('SIGKILL');
          await closed;
          return received.slice(1);
        },
      };
    }

    const signals = (calls: readonly string[]) =>
      calls.filter((call) => /^(?:docker|systemctl) kill /.test(call));

    test('receives a graceful shutdown request, and no signal', async () => {
      const { quit, status, heard: received } = await wrapped();
      expect(status()).toBe('running');
      const { verdict, calls } = quit();
      expect(verdict).toEqual({ kind: 'sent' });
      expect(signals(calls)).toEqual([]);
      expect(status()).toBe('stopped');
      expect(quit().verdict).toEqual({ kind: 'already_stopped' });
      expect(await received()).toEqual([
        'CheckStatus',
        'InitGracefulShutdown',
        'CheckStatus',
        'InitGracefulShutdown',
      ]);
    });

    test('loses its restart policy before the request', async () => {
      const { quit } = await wrapped();
      const { calls } = quit();
      const restart = calls.findIndex((call) => /--restart=no|daemon-reload/.test(call));
      expect(restart).toBeGreaterThanOrEqual(0);
    });

    test('receives a forceful shutdown request if its jobs are to be killed', async () => {
      const { kill, heard: received } = await wrapped();
      const { verdict, calls } = kill();
      expect(verdict).toEqual({ kind: 'already_stopped' });
      expect(signals(calls)).toEqual([]);
      expect(await received()).toEqual(['InitForcefulShutdown', 'CheckStatus']);
    });

    test('receives one request if its runner does not end, and is killed at last', async () => {
      const { kill, heard: received } = await wrapped('stays');
      const { verdict, calls } = kill();
      expect(verdict).toEqual({
        kind: 'refused',
        reason: 'the process did not end after SIGTERM and SIGKILL',
      });
      expect((await received()).filter((method) => method === 'InitForcefulShutdown')).toHaveLength(
        1,
      );
      expect(signals(calls)).toEqual([expect.stringContaining('KILL')]);
    });

    test.each([
      ['refuses', 'the gRPC wrapper did not respond, and a signal to it would kill the jobs'],
      ['silent', 'the gRPC wrapper did not respond, and a signal to it would kill the jobs'],
    ])('stays untouched, and is reported, if it %s', async (manner, reason) => {
      const { quit, kill } = await wrapped(manner);
      for (const { verdict, calls } of [quit(), kill()]) {
        expect(verdict).toEqual({ kind: 'refused', reason });
        expect(signals(calls)).toEqual([]);
      }
    });

    test('lacks a call that ends jobs before 17.10, and stays untouched', async () => {
      const { kill, quit } = await wrapped('old');
      const { verdict, calls } = kill();
      expect(verdict).toEqual({
        kind: 'refused',
        reason:
          'the gRPC wrapper has no call that ends jobs (gitlab-runner before 17.10), and a signal to it gives them ten seconds',
      });
      expect(signals(calls)).toEqual([]);
      expect(quit().verdict).toEqual({ kind: 'sent' });
    });

    test('never receives a signal as a replacement if the wrapper is missing', async () => {
      const settings: HostSettings = { ...plain, wrapper: 'unix:///run/nobody-listens.sock' };
      const ran = runOnHost(`MACHINE_ROOT=$STUB\n${quitScript(settings)}`, stubs);
      expect(judgeStop(ran.text, String).kind).toBe('refused');
      expect(signals(ran.calls)).toEqual([]);
    });
  });
});
