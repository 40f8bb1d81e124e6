import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type HostOutput, parseHostOutput } from '../../../src/adapters/aws/hosts/host-output.ts';

export interface Ran {
  readonly output: HostOutput;
  /** Output as printed, before parsing. */
  readonly text: string;
  /** Calls of stubs with their arguments, in order. */
  readonly calls: readonly string[];
  /** Number of processes that the script started; 0 without a trace. */
  readonly processes: number;
}

const tracing = ['-f', '-qq', '-e', 'trace=clone,clone3,fork,vfork', '-e', 'signal=none', '-o'];

/** Counts the calls that returned an id. Threads are no processes. */
function countStarted(traced: string): number {
  const isStart = (line: string) => / = \d+$/.test(line) && !line.includes('CLONE_THREAD');
  return traced.split('\n').filter(isStart).length;
}

/**
 * Runs a host's script with stubs first on its search path. A stub is a shell script, whose
 * variable `$line` contains its arguments.
 */
export function runOnHost(
  script: string,
  stubs: Readonly<Record<string, string>>,
  {
    real = true,
    shell = ['/bin/sh'],
    machine,
    trace,
  }: {
    readonly real?: boolean;
    readonly shell?: readonly string[];
    /** Folder that stands for the root of the host. */
    readonly machine?: string;
    /** Path of `strace`, which counts the started processes. */
    readonly trace?: string | undefined;
  } = {},
): Ran {
  const folder = mkdtempSync(join(tmpdir(), 'on-a-host-'));
  try {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const log = join(folder, 'calls');
    writeFileSync(log, '');
    // This computer's own units must never be read.
    writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\necho LoadState=not-found\n', { mode: 0o755 });
    for (const [name, body] of Object.entries(stubs)) {
      const text = `#!/bin/sh\nline="$*"\nprintf '%s\\n' "${name} $line" >>'${log}'\n${body}\n`;
      writeFileSync(join(bin, name), text);
      chmodSync(join(bin, name), 0o755);
    }
    const PATH = real ? [bin, process.env['PATH']].join(delimiter) : bin;
    const traced = join(folder, 'traced');
    const command = trace === undefined ? shell : [trace, ...tracing, traced, ...shell];
    const [program = '', ...words] = command;
    const root = machine === undefined ? {} : { MACHINE_ROOT: machine };
    const env = { PATH, STUB: folder, ...root };
    const ran = spawnSync(program, [...words, '-s'], { input: script, env });
    return {
      output: parseHostOutput(ran.stdout.toString()),
      text: ran.stdout.toString(),
      calls: readFileSync(log, 'utf8').split('\n').slice(0, -1),
      processes: trace === undefined ? 0 : countStarted(readFileSync(traced, 'utf8')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
