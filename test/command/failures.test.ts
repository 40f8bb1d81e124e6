import { describe, expect, test } from '@jest/globals';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { failureOf } from '../support/failure-of.ts';
import { apply, node, over, pink, unknownPlan } from './commands.ts';

describe('a failed command', () => {
  test('may have done anything, and its output is quoted', async () => {
    const command = node('console.error("first"); console.error("no hunter2"); process.exit(3)');
    expect(await failureOf(apply(over(command)))).toMatchObject({
      kind: 'refused',
      effect: 'unknown',
      source: `infrastructure command apply (${process.execPath})`,
      detail: 'exit code 3: "no [redacted]"',
    });
  });

  test('did nothing if the program does not exist', async () => {
    expect(await failureOf(apply(over(['no-such-command'])))).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: 'command not found: no-such-command',
    });
  });

  test('did nothing if the file is not a program', async () => {
    expect(await failureOf(apply(over(['/dev/null'])))).toMatchObject({
      effect: 'none',
      detail: 'not executable: /dev/null',
    });
  });

  test('names a working directory that does not exist', async () => {
    const infrastructure = over(node(''), { settings: { workingDirectory: '/no/such/folder' } });
    expect(await failureOf(apply(infrastructure))).toMatchObject({
      effect: 'none',
      detail: 'infrastructure.working_directory is not a directory',
    });
  });

  test('counts as failed if it ends itself with a signal', async () => {
    expect(
      await failureOf(apply(over(node('process.kill(process.pid, "SIGKILL")')))),
    ).toMatchObject({ effect: 'unknown', detail: 'ended by SIGKILL' });
  });

  test('gets an interrupt at its timeout, and may have done anything', async () => {
    const command = node(
      'process.on("SIGINT", () => process.exit(0)); setInterval(() => {}, 1000)',
    );
    const infrastructure = over(command, { settings: { timeoutMs: 400 } });
    expect(await failureOf(apply(infrastructure))).toMatchObject({
      kind: 'unreachable',
      effect: 'unknown',
      detail: 'it did not end within infrastructure.timeout',
    });
  });
});

describe('a cancellation during a command', () => {
  /** Reports its start, and at its end the number of interrupts. */
  const patient = node(
    'let n = 0; process.on("SIGINT", () => { n += 1; console.log("interrupted", n); setTimeout(() => process.exit(0), 50) }); console.log("up"); setInterval(() => {}, 1000)',
  );

  test('interrupts the command once and ends with its own reason', async () => {
    const cancel = new AbortController();
    const seen: string[] = [];
    const infrastructure = over(patient, { signal: () => cancel.signal });
    const run = async () => {
      for await (const event of infrastructure.apply(pink, unknownPlan)) {
        if (event.kind === 'progress') seen.push(event.text);
        if (seen.includes('up')) cancel.abort(new Error('cancelled by a person'));
      }
    };
    await expect(run()).rejects.toThrow('cancelled by a person');
    expect(seen).toEqual(['up', 'interrupted 1']);
  });

  test('kills a command that does not end in time, with its children', async () => {
    const cancel = new AbortController();
    const graces: number[] = [];
    const system = createSystemClock();
    const clock: Clock = {
      ...system,
      sleep: (durationMs, signal) => {
        if (durationMs === 4500) graces.push(durationMs);
        return system.sleep(durationMs === 4500 ? 50 : durationMs, signal);
      },
    };
    const child = 'process.on("SIGINT", () => {}); setInterval(() => {}, 1000)';
    const command = node(
      `process.on("SIGINT", () => {}); require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit" }).on("spawn", () => console.log("up")); setInterval(() => {}, 1000)`,
    );
    const infrastructure = over(command, { clock, signal: () => cancel.signal });
    const run = async () => {
      for await (const _ of infrastructure.apply(pink, unknownPlan)) {
        cancel.abort(new Error('cancelled'));
      }
    };
    // The tool's output has ended, although its child held it open.
    await expect(run()).rejects.toThrow('cancelled');
    expect(graces).toEqual([4500]);
  });

  test('prevents a command that has not started', async () => {
    const infrastructure = over(['no-such-command'], {
      signal: () => AbortSignal.abort(new Error('cancelled before')),
    });
    await expect(apply(infrastructure)).rejects.toThrow('cancelled before');
  });
});
