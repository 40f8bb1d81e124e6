import type { HostReport } from '../../../ports/runner-host.ts';
import type { HostOutput } from './host-output.ts';

export type ProcessState = Pick<HostReport, 'process' | 'restarts'>;

// Whether it restarts is not known either, and the safe reading is that it does.
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

/** What docker alone says. */
function readContainerState(output: HostOutput): ProcessState {
  const text = output.first('inspect') ?? '';
  if (output.first('inspect_code') !== '0') {
    // docker's own words; any other failure says nothing about the container.
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

/** Whether the unit that runs the container starts it again; at rest as well where there is none. */
function readOwnUnit(output: HostOutput): Rest {
  if (output.first('unit_code') !== undefined) return 'restarts';
  if (output.all('unit').length === 0) return 'at_rest';
  return readRest(readProperties(output));
}

/**
 * systemd keeps the Restart= of a unit that has ended for good, and starts it no more by itself: what its
 * table of Restart= starts again, `always` after a clean exit as well, it calls `activating` until then.
 * https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html#Restart=
 */
function readRest(properties: ReadonlyMap<string, string>): Rest {
  const state = properties.get('ActiveState') ?? '';
  const sub = properties.get('SubState') ?? '';
  const hasEnded = state === 'inactive' || state === 'failed' || sub === 'exited';
  // A start that waits for its turn, as after a boot, is a job of systemd's; systemctl prints `Job=` as well
  // where there is none. From systemd 254 on a unit passes through a state of its own before it is started again.
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
  // It has started something and left it: whether that lives nobody says.
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
