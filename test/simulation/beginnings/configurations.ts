import type { StackSettings } from '../../../src/domain/settings.ts';
import { jobsAlone } from '../../fakes/bake-settings.ts';
import { bakingStack } from '../../fakes/builders.ts';

/** Unusual configurations. */
export const configurations = {
  project: (stack: StackSettings): StackSettings => ({
    ...stack,
    registration: { ...stack.registration, scope: { kind: 'project', projectId: 7 } },
  }),
  observe: (stack: StackSettings): StackSettings => {
    const { evidence } = stack.healthcheck;
    const observed = { ...evidence, observe: 'required' as const };
    return { ...stack, healthcheck: { ...stack.healthcheck, evidence: observed, observeJobs: 2 } };
  },
  reach: (stack: StackSettings): StackSettings => {
    const { evidence } = stack.healthcheck;
    // No host of this world reports idle workers, so EC2 supplies the capacity evidence.
    const configured = { ...evidence, reachability: 'required', capacity: 'optional' } as const;
    const reach = ['https://gitlab.example.com'];
    return { ...stack, healthcheck: { ...stack.healthcheck, evidence: configured, reach } };
  },
  /** Adds a bake that runs while the retiring shard drains, and rolls back automatically. */
  drain_bad: (stack: StackSettings): StackSettings => ({
    ...stack,
    bake: bakingStack({ forMs: 900_000 }).bake,
  }),
  /** Adds a bake that ends before the drain and only reports bad signals. */
  drain_bad_told: (stack: StackSettings): StackSettings => ({
    ...stack,
    bake: bakingStack({ forMs: 60_000, onUnhealthy: 'report' }).bake,
  }),
  /** Enables every signal of a bake besides the registry's. */
  signals: (stack: StackSettings): StackSettings => ({
    ...stack,
    bake: {
      ...stack.bake,
      signals: {
        health: 'required',
        canary: 'required',
        failures: 'report',
        prometheus: [
          { query: 'errors', url: 'https://prom.example.com', above: 1, forMs: 0, use: 'required' },
        ],
        cloudwatchAlarms: ['runner-errors'],
        webhookUrl: 'https://verdict.example.com',
      },
    },
  }),
  /** Enables the starvation signal alone. */
  starving: (stack: StackSettings): StackSettings => ({
    ...stack,
    bake: { ...stack.bake, signals: { ...jobsAlone, starvationMs: 120_000 } },
  }),
  account: (stack: StackSettings): StackSettings => ({
    ...stack,
    aws: { ...stack.aws, account: '111122223333', region: 'eu-central-1' },
  }),
  /** Switches off all host access. */
  unasked: (stack: StackSettings): StackSettings => {
    const { evidence } = stack.healthcheck;
    const off = { ...evidence, instance: 'off', host: 'off', workload: 'off' } as const;
    return {
      ...stack,
      host: { ...stack.host, access: 'none' },
      healthcheck: { ...stack.healthcheck, evidence: off },
    };
  },
  terraform: (stack: StackSettings): StackSettings => ({
    ...stack,
    infrastructure: { ...stack.infrastructure, driver: 'terraform' } as never,
  }),
} as const;
