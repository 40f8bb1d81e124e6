import { describe, expect, test } from '@jest/globals';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { failureOf } from '../support/failure-of.ts';
import { apply, node, over, pink, unknownPlan } from './commands.ts';

describe('failures', () => {
  test('a command that fails may have done anything and is quoted', async () => {
    const command = node('console.error("first"); console.error("no hunter2"); process.exit(3)');
    expect(await failureOf(apply(over(command)))).toMatchObject({
      kind: 'refused',
      effect: 'unknown',
      source: `infrastructure command apply (${process.execPath})`,
      detail: 'exit code 3: "no [redacted]"',
    });
  });

  test('a command that is not there did nothing', async () => {
    expect(await failureOf(apply(over(['no-such-command'])))).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: 'command not found: no-such-command',
    });
  });

  test('a command that is no program did nothing', async () => {
    expect(await failureOf(apply(over(['/dev/null'])))).toMatchObject({
      effect: 'none',
      detail: 'not executable: /dev/null',
    });
  });

  test('a working directory that is not there is named', async () => {
    const infrastructure = over(node(''), { settings: { workingDirectory: '/no/such/folder' } });
    expect(await failureOf(apply(infrastructure))).toMatchObject({
      effect: 'none',
      detail: 'infrastructure.working_directory is not a directory',
    });
  });

  test('a command that ends itself by a signal fails', async () => {
    expect(
      await failureOf(apply(over(node('process.kill(process.pid, "SIGKILL")')))),
    ).toMatchObject({ effect: 'unknown', detail: 'ended by SIGKILL' });
  });

  test('a command that takes too long is interrupted and may have done anything', async () => {
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

describe('a cancel', () => {
  /** Says when it is up, and how often it was interrupted when it ends. */
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

  test('kills what does not end before we do, with its children', async () => {
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
    // Its output has ended, which the child's own child held open, too.
    await expect(run()).rejects.toThrow('cancelled');
    expect(graces).toEqual([4500]);
  });

  test('before the start starts nothing', async () => {
    const infrastructure = over(['no-such-command'], {
      signal: () => AbortSignal.abort(new Error('cancelled before')),
    });
    await expect(apply(infrastructure)).rejects.toThrow('cancelled before');
  });
});
