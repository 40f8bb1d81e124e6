import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProgress } from '../../src/adapters/terraform/progress.ts';
import type { TerraformOptions } from '../../src/adapters/terraform/terraform-options.ts';
import type { ChildRequest } from '../../src/adapters/terraform/terraform-process.ts';
import { runRead } from '../../src/adapters/terraform/terraform-read.ts';
import { capture, stream } from '../../src/adapters/terraform/terraform-run.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { usual } from './workshop.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'looking at "it" '));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a command that only reads', () => {
  test('sees the given environment, and no other variable', async () => {
    process.env['OF_OURS'] = 'secret';
    const environment = { PATH: '/usr/bin:/bin', TF_INPUT: '0' };
    const seen = await runRead(request({ file: 'env', environment }));
    expect(seen).toEqual({
      end: { kind: 'exited', code: 0 },
      stdout: 'PATH=/usr/bin:/bin\nTF_INPUT=0\n',
      stderr: '',
    });
  });

  test('receives its arguments unchanged, in its own folder', async () => {
    program('said', 'printf "%s|" "$PWD" "$@"; echo odd >&2; exit 3');
    const seen = await runRead(request({ file: 'said', arguments: ['a b', '"c"', '$(id)', ''] }));
    expect(seen).toEqual({
      end: { kind: 'exited', code: 3 },
      stdout: `${folder}|a b|"c"|$(id)||`,
      stderr: 'odd\n',
    });
  });

  test('never prints its arguments or its output', async () => {
    program('tell', 'echo hunter2; echo hunter2 >&2');
    const shown = await shownWhile(() =>
      runRead(request({ file: 'tell', arguments: ['-var=token=hunter2'] })),
    );
    expect(shown).toBe('');
  });

  test('returns its whole output, even if one line has megabytes', async () => {
    program('much', "head -c 20000000 /dev/zero | tr '\\0' a; printf 'é'; head -c 65535 /dev/zero");
    const { stdout } = await runRead(request({ file: 'much' }));
    expect(stdout.length).toBe(20_065_536);
    expect(stdout).toBe(`${'a'.repeat(20_000_000)}é${'\0'.repeat(65_535)}`);
  });

  test('ends if it prints more than the limit', async () => {
    program('flood', 'exec cat /dev/zero');
    const { end } = await runRead(request({ file: 'flood' }), 1_000_000);
    expect(end).toEqual({ kind: 'flooded' });
  });

  test('gets no input to wait for', async () => {
    const { end } = await runRead(request({ file: 'cat' }));
    expect(end).toEqual({ kind: 'exited', code: 0 });
  });

  test.each([
    ['does not exist', 'nowhere', 'ENOENT'],
    ['is not executable', 'unfit', 'EACCES'],
  ])('does not start if it %s', async (_, file, code) => {
    program('unfit', 'true');
    chmodSync(join(folder, 'unfit'), 0o644);
    const { end } = await runRead(request({ file }));
    expect(end).toEqual({ kind: 'not_started', code });
  });

  test('reports the signal that ended it', async () => {
    program('hit', 'kill -KILL $$');
    const { end } = await runRead(request({ file: 'hit' }));
    expect(end).toEqual({ kind: 'killed', signal: 'SIGKILL' });
  });

  test('ends with its process, even if a child keeps its output open', async () => {
    program('parent', 'sleep 600 & echo $! >left; echo seen');
    const seen = await runRead(request({ file: 'parent' }));
    process.kill(Number(readFileSync(join(folder, 'left'), 'utf8')));
    expect(seen).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: 'seen\n' });
  });
});

describe('a read with a limit', () => {
  test('does not start after a cancellation', async () => {
    const signal = AbortSignal.abort(new Error('received SIGTERM'));
    await expect(runRead(request({ file: 'env', signal }))).rejects.toThrow('received SIGTERM');
  });

  test('ends with its program at a cancellation', async () => {
    program('slow', 'echo $$ >slow.pid; exec sleep 600');
    const cancel = new AbortController();
    const seen = runRead(request({ file: 'slow', signal: cancel.signal }));
    const pid = await begun('slow.pid');
    cancel.abort(new Error('received SIGTERM'));
    expect((await seen).end).toEqual({ kind: 'cancelled' });
    expect(isAlive(pid)).toBe(false);
  });

  test('ends with its program if the cancellation comes before the program’s start', async () => {
    program('late', 'exec sleep 600');
    const cancel = new AbortController();
    const seen = runRead(request({ file: 'late', signal: cancel.signal }));
    cancel.abort(new Error('received SIGTERM'));
    expect((await seen).end).toEqual({ kind: 'cancelled' });
  });

  test('receives SIGKILL four seconds later if its program ignores the signal', async () => {
    program('deaf', "trap '' INT; echo $$ >deaf.pid; while :; do sleep 0.05; done");
    const clock = byHand();
    const cancel = new AbortController();
    const seen = runRead(request({ file: 'deaf', signal: cancel.signal, clock }));
    const pid = await begun('deaf.pid');
    cancel.abort(new Error('received SIGTERM'));
    clock.wake(4000);
    expect((await seen).end).toEqual({ kind: 'cancelled' });
    expect(isAlive(pid)).toBe(false);
  });

  test('ends at its own limit', async () => {
    program('endless', 'echo $$ >endless.pid; exec sleep 600');
    const clock = byHand();
    const seen = runRead(request({ file: 'endless', timeoutMs: 60_000, clock }));
    await begun('endless.pid');
    clock.wake(60_000);
    expect((await seen).end).toEqual({ kind: 'timed_out' });
  });

  test('ends without a second read that runs at the same time', async () => {
    program('one', 'echo $$ >one.pid; exec sleep 600');
    program('other', 'echo $$ >other.pid; while [ ! -e go ]; do sleep 0.05; done; echo done');
    const cancel = new AbortController();
    const one = runRead(request({ file: 'one', signal: cancel.signal }));
    const other = runRead(request({ file: 'other' }));
    await begun('one.pid');
    await begun('other.pid');
    cancel.abort(new Error('received SIGTERM'));
    expect((await one).end).toEqual({ kind: 'cancelled' });
    writeFileSync(join(folder, 'go'), '');
    expect(await other).toMatchObject({ end: { kind: 'exited', code: 0 }, stdout: 'done\n' });
  });
});

describe('a message of an apply that is too long for memory', () => {
  const long = `head -c 17000000 /dev/zero | tr '\\0' a`;
  const summary =
    '{"type":"change_summary","changes":{"operation":"apply","add":1,"change":0,"remove":0}}';

  function running(command: string, script: string) {
    program('long', script);
    const { clock, environment } = request({ file: 'long' });
    const settings = { ...usual, binary: join(folder, 'long') };
    const options = { settings, environment: () => environment, clock };
    const place = {
      shard: stackShard('purple', 'linux'),
      directory: folder,
      dataDirectory: folder,
    };
    const order = { command, arguments: [], ...place };
    return [options as unknown as TerraformOptions, order] as const;
  }

  test('counts as unread, and later messages are read', async () => {
    const script = `printf '{"type":"outputs","outputs":{"a":{"sensitive":false,"value":"'; ${long}; echo '"}}}'; echo '${summary}'`;
    const progress = createProgress(1);
    const lines: string[] = [];
    for await (const message of stream(...running('apply', script), async () => undefined))
      lines.push(progress.read(message) ?? '');
    expect(lines[0]).toBe(
      'a message of more than 16 MB was not read: outputs or the text of an error may be missing',
    );
    expect(progress).toMatchObject({ outputs: {}, counts: { added: 1 } });
  });

  test('stays out of the output of a command that changes something', async () => {
    const ended = await capture(...running('init', `${long}; exit 0`));
    expect(ended).toEqual({ kind: 'done' });
  });
});

function request(more: Partial<ChildRequest> & { file: string }): ChildRequest {
  return {
    arguments: [],
    environment: { PATH: `${folder}:/usr/bin:/bin` },
    workingDirectory: folder,
    timeoutMs: 600_000,
    clock: byHand(),
    signal: undefined,
    ...more,
  };
}

function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Creates a clock whose sleeps of a length last until the test wakes them. */
function byHand() {
  const sleepers: { readonly durationMs: number; wake(): void }[] = [];
  return {
    now: () => 0,
    elapsed: () => 0,
    sleep: (durationMs: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ durationMs, wake });
      }),
    wake(durationMs: number): void {
      for (const one of sleepers) if (one.durationMs === durationMs) one.wake();
    },
  };
}

async function begun(file: string): Promise<number> {
  const path = join(folder, file);
  while (!existsSync(path) || readFileSync(path, 'utf8') === '')
    await new Promise((passes) => setTimeout(passes, 10));
  return Number(readFileSync(path, 'utf8'));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function shownWhile(act: () => Promise<unknown>): Promise<string> {
  const shown: string[] = [];
  const { stdout, stderr } = process;
  const own = [stdout.write, stderr.write] as const;
  const note = (text: unknown) => shown.push(String(text)) > 0;
  Object.assign(stdout, { write: note });
  Object.assign(stderr, { write: note });
  try {
    await act();
  } finally {
    Object.assign(stdout, { write: own[0] });
    Object.assign(stderr, { write: own[1] });
  }
  return shown.join('');
}
