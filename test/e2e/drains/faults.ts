import type { Fault } from '../../../sandbox/faults.ts';

/** What strikes everybody from the first drain to the last. */
export const weather: readonly Fault[] = [
  {
    id: 'slow-gitlab',
    service: 'gitlab',
    effect: { kind: 'latency', ms: 250 },
    probability: 0.1,
  },
  {
    id: 'errors-of-gitlab',
    service: 'gitlab',
    effect: { kind: 'status', status: 502 },
    probability: 0.02,
  },
  {
    id: 'told-to-slow-down',
    service: 'gitlab',
    effect: { kind: 'status', status: 429, retryAfterSeconds: 1 },
    probability: 0.005,
  },
  {
    id: 'stale-gitlab',
    service: 'gitlab',
    match: { method: 'GET', path: '/runners/' },
    effect: { kind: 'stale', ms: 300 },
    probability: 0.1,
  },
  {
    id: 'lost-answer-to-the-pause',
    service: 'gitlab',
    match: { method: 'PUT', path: '/runners/' },
    effect: { kind: 'reset_after' },
    probability: 0.15,
  },
  {
    id: 'lost-pause',
    service: 'gitlab',
    match: { method: 'PUT', path: '/runners/' },
    effect: { kind: 'reset_before' },
    probability: 0.1,
  },
  // Assigned, and not acknowledged for as long.
  {
    id: 'slow-acknowledgement',
    service: 'runner',
    match: { path: '/jobs/\\d+' },
    effect: { kind: 'latency', ms: 400 },
    probability: 0.2,
  },
  {
    id: 'errors-to-the-runners',
    service: 'runner',
    match: { path: '/jobs/request' },
    effect: { kind: 'status', status: 500 },
    probability: 0.03,
  },
  {
    id: 'throttled-aws',
    service: 'ssm',
    effect: { kind: 'status', status: 429 },
    probability: 0.02,
  },
  { id: 'slow-aws', service: 'ssm', effect: { kind: 'latency', ms: 150 }, probability: 0.1 },
];
