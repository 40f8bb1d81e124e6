import type { HostSettings } from '../../../domain/settings.ts';
import { containerStatus, script, unitName, unitProperties } from './script-parts.ts';
import { wrapperAddress } from './wrapper-script.ts';

interface Bodies {
  /** The functions that differ with a gRPC wrapper. */
  readonly withWrapper: string;
  /** The same where the runner is the main process itself. */
  readonly noWrapper: string;
  readonly docker: string;
  readonly systemd: string;
}

/** One script for the runner's process, whatever keeps it: a container or a unit, wrapped or not. */
export function processScript(
  { process, wrapper, listenPort }: Pick<HostSettings, 'process' | 'wrapper' | 'listenPort'>,
  { withWrapper, noWrapper, docker, systemd }: Bodies,
): string {
  const addresses = wrapper === undefined ? {} : wrapperAddress(wrapper);
  const port = String(listenPort);
  const way = wrapper === undefined ? noWrapper : withWrapper;
  return process.kind === 'docker'
    ? script({
        values: { name: process.container, port },
        addresses,
        body: [containerStatus, way, docker].join('\n'),
      })
    : script({
        values: { name: unitName(process.unit), port },
        addresses,
        body: [unitProperties, way, systemd].join('\n'),
      });
}
