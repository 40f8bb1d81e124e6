import type { HostSettings } from '../../../domain/settings.ts';
import { containerStatus, script, unitName, unitProperties } from './script-parts.ts';
import { wrapperAddress } from './wrapper-script.ts';

interface Bodies {
  /** Functions for a runner behind a gRPC wrapper. */
  readonly withWrapper: string;
  /** Functions for a runner that is itself the main process. */
  readonly noWrapper: string;
  readonly docker: string;
  readonly systemd: string;
}

/**
 * Builds one script for the runner's process: in a container or a unit, with or without a wrapper.
 */
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
