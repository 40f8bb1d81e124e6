import type { HostReport } from '../../../src/ports/runner-host.ts';

/** Properties of a healthy host that tests override. */
export interface HostQuirks {
  /** Host without a registration in Systems Manager. */
  unregistered?: boolean;
  ready?: HostReport['ready'];
  health?: NonNullable<HostReport['health']>;
  wrapper?: NonNullable<HostReport['wrapper']>;
  idleWorkers?: number;
  /** FF_USE_JOB_ROUTER: responses are not counted. */
  jobRouter?: 'alone' | 'beside_another_runner';
  /** Number of job slots per state, from the runner's metrics. */
  slots?: Readonly<Record<string, number>>;
  clockOffMs?: number;
  tokenWord?: 'refused';
  /** Reason why the runner cannot start again. */
  startFault?: string;
  /** Reason why no container can be created. */
  workloadFault?: string;
  /** Group that created the host. The infrastructure's state contains only the group. */
  autoScalingGroup?: string;
  /** Reasons why targets are unreachable, by target. */
  unreachable?: Record<string, string>;
}
