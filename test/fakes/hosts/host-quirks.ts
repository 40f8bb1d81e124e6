import type { HostReport } from '../../../src/ports/runner-host.ts';

/** What tests change of a host that is otherwise well. */
export interface HostQuirks {
  /** Systems Manager has never heard of it. */
  unregistered?: boolean;
  ready?: HostReport['ready'];
  health?: NonNullable<HostReport['health']>;
  wrapper?: NonNullable<HostReport['wrapper']>;
  idleWorkers?: number;
  /** FF_USE_JOB_ROUTER: no answer is counted as such. */
  jobRouter?: 'alone' | 'beside_another_runner';
  /** By state, of the runner's metrics. */
  slots?: Readonly<Record<string, number>>;
  clockOffMs?: number;
  tokenWord?: 'refused';
  /** Why its runner cannot be started again. */
  startFault?: string;
  /** Why no container can be made. */
  workloadFault?: string;
  /** Made by this group, which is what the infrastructure's state knows. */
  autoScalingGroup?: string;
  /** By target, why it is not reached. */
  unreachable?: Record<string, string>;
}
