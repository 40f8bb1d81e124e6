import type { HostReport } from '../../../ports/runner-host.ts';
import type { HostOutput } from './host-output.ts';

export type ProcessState = Pick<HostReport, 'process' | 'restarts'>;

// The restart setting is also unknown. The safe assumption is that the process restarts.
const unknown: ProcessState = { process: 'unknown', restarts: true };

export function readProcess(output: HostOutput): ProcessState {
  if (output.first('inspect_code') !== undefined) return readContainer(output);
  if (output.first('show_code') !== undefined) return readUnit(output);
  return unknown;
}

const containerStates: Readonly<Record<string, HostReport['process']>> = {
  created: 'stopped',
  restarting: 'starting',
  running: 'running',
  exited: 'stopped',
  dead: 'stopped',
};

function readContainer(output: HostOutput): ProcessState {
  const { process, restarts } = readContainerState(output);
  const unit = readOwnUnit(output);
  const isBetweenStarts = unit === 'starting' && (process === 'stopped' || process === 'absent');
  return {
    process: isBetweenStarts ? 'starting' : process,
    restarts: restarts || unit !== 'at_rest',
  };
}

/** Reads the state that docker reports. */
function readContainerState(output: HostOutput): ProcessState {
  const text = output.first('inspect') ?? '';
  if (output.first('inspect_code') !== '0') {
    // Any other error of docker proves nothing about the container.
    const absent = /No such (?:object|container)\b/i.test(text);
    return absent ? { process: 'absent', restarts: false } : unknown;
  }
  const [state = '', policy] = text.trim().split(' ');
  return {
    process: containerStates[state] ?? 'unknown',
    restarts: policy !== 'no',
  };
}

type Rest = 'at_rest' | 'starting' | 'restarts';

/** Reads whether the container's unit restarts it. Without a unit, the result is `at_rest`. */
function readOwnUnit(output: HostOutput): Rest {
  if (output.first('unit_code') !== undefined) return 'restarts';
  if (output.all('unit').length === 0) return 'at_rest';
  return readRest(readProperties(output));
}

/**
 * Reads whether systemd will start a unit again. The property Restart= remains after the unit has
 * ended permanently. systemd reports `activating` for a unit that Restart= will start again.
 * https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html#Restart=
 */
function readRest(properties: ReadonlyMap<string, string>): Rest {
  const state = properties.get('ActiveState') ?? '';
  const sub = properties.get('SubState') ?? '';
  const hasEnded = state === 'inactive' || state === 'failed' || sub === 'exited';
  // A queued start, for example after a boot, is a systemd job. systemctl also prints `Job=`
  // without a job. From systemd 254 on, a unit passes through an extra state before its restart.
  const isAwaited = Number(properties.get('Job')) > 0 || sub.endsWith('-before-auto-restart');
  if (state === 'activating' || (hasEnded && isAwaited)) return 'starting';
  return hasEnded || properties.get('Restart') === 'no' ? 'at_rest' : 'restarts';
}

const unitStates: Readonly<Record<string, HostReport['process']>> = {
  active: 'running',
  reloading: 'running',
  activating: 'starting',
  deactivating: 'quitting',
  inactive: 'stopped',
  failed: 'stopped',
};

function readUnit(output: HostOutput): ProcessState {
  if (output.first('show_code') !== '0') return unknown;
  const properties = readProperties(output);
  if (properties.get('LoadState') === 'not-found') return { process: 'absent', restarts: false };
  const process = unitStates[properties.get('ActiveState') ?? ''] ?? 'unknown';
  // The unit started a process and left it. systemd does not report whether that process lives.
  if (process === 'running' && properties.get('SubState') === 'exited') return unknown;
  const rest = readRest(properties);
  if (process === 'stopped' && rest === 'starting') return { process: 'starting', restarts: true };
  return { process, restarts: rest !== 'at_rest' };
}

function readProperties(output: HostOutput): ReadonlyMap<string, string> {
  return new Map(
    output.all('unit').map((line) => {
      const equals = line.indexOf('=');
      return [line.slice(0, equals), line.slice(equals + 1)] as const;
    }),
  );
}
