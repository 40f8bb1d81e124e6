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
  const properties = new Map(
    output.all('unit').map((line) => {
      const equals = line.indexOf('=');
      return [line.slice(0, equals), line.slice(equals + 1)] as const;
    }),
  );
  if (properties.get('LoadState') === 'not-found') return { process: 'absent', restarts: false };
  return {
    process: unitStates[properties.get('ActiveState') ?? ''] ?? 'unknown',
    restarts: properties.get('Restart') !== 'no',
  };
}
