import { createCommandInfrastructure } from '../../src/adapters/command/command-infrastructure.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { CommandInfrastructure } from '../../src/domain/settings.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Infrastructure } from '../../src/ports/infrastructure.ts';
import { collect } from '../contract/infrastructure.contract.ts';
import { stackShard } from '../contract/runner-host.contract.ts';

export const pink = stackShard('pink', 'linux');
export const purple = stackShard('purple', 'linux');
export const unknownPlan = { kind: 'unknown', summary: '' } as const;

export function node(script: string, ...rest: string[]): string[] {
  return [process.execPath, '-e', script, ...rest];
}

export function over(
  apply: readonly string[],
  {
    settings = {},
    environment = {},
    clock = createSystemClock(),
    signal,
  }: {
    settings?: Partial<CommandInfrastructure>;
    environment?: Record<string, string>;
    clock?: Clock;
    signal?: () => AbortSignal;
  } = {},
): Infrastructure {
  return createCommandInfrastructure({
    settings: {
      driver: 'command',
      apply,
      destroy: apply,
      passEnvironment: [],
      timeoutMs: 20_000,
      ...settings,
    },
    shards: [pink.shard, purple.shard],
    environment: () => ({ PATH: process.env['PATH'], ...environment }),
    clock,
    redact: (text) => text.replaceAll('hunter2', '[redacted]'),
    signal,
  });
}

export const apply = (infrastructure: Infrastructure) =>
  collect(infrastructure.apply(pink, unknownPlan));
