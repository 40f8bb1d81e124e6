import { stripVTControlCharacters } from 'node:util';
import { formatLine, type LogLine } from '../../../sandbox/manager/log-format.ts';
import { linesOf } from '../../../sandbox/manager/log-lines.ts';
import type { ManagerSettings } from '../../../sandbox/manager/orders.ts';
import type { HostState, World } from '../world/world.ts';

const unheard = 'dial tcp 203.0.113.7:443: i/o timeout';

/**
 * Writes a line of the runner's log as hosted-runner reads it: in the form of the host's version,
 * without colours.
 */
export function writeLog(
  world: World,
  host: HostState,
  event: 'starts' | 'hears_nothing' | 'refused' | 'silenced' | 'quits',
): void {
  const lines = linesOf(settingsOf(world, host));
  const line = {
    starts: () => lines.starting(),
    hears_nothing: () => lines.failed(-1, unheard, ''),
    refused: () => lines.forbidden(''),
    silenced: () => lines.silenced(3),
    quits: () => lines.quits(host.jobs.length),
  }[event];
  host.log.push(textOf(world, line()));
}

function textOf(world: World, line: LogLine): string {
  const text = formatLine(line, { format: 'runner', at: new Date(world.now) });
  return stripVTControlCharacters(text).trimEnd();
}

function settingsOf(world: World, host: HostState): ManagerSettings {
  return {
    url: 'https://gitlab.example.com',
    token: host.token ?? '',
    systemId: host.systemId,
    version: host.version,
    logFormat: 'runner',
    jobRouter: false,
    conduct: 'works',
    failsEvery: 0,
    concurrent: world.behaviour.concurrent,
    checkIntervalMs: world.behaviour.pollMs,
    traceIntervalMs: 60_000,
    heartbeatMs: 30_000,
    unhealthyIntervalMs: 3_600_000,
    shutdownTimeoutMs: 30_000,
    buildsFolder: '/builds',
    searchPath: '/usr/bin',
  };
}
