/** A machine as EC2 and the SSM service see it. Kept in the folder. */
export interface Instance {
  readonly id: string;
  /** `{shard}-{runner_name}_runner-manager` */
  readonly nameTag: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly runnerName: string;
  readonly shard: string;
  /** The content of `.runner_system_id`, fixed for the life of the machine. */
  readonly systemId: string;
  readonly launchedAt: string;
  state: InstanceState;
  /** Whether the SSM agent answers; a deaf one goes on pinging, and no command reaches it. */
  agent: 'online' | 'lost' | 'deaf';
  /** Systems Manager knows it from then on. */
  agentRegisteredAt?: string;
  /** Since when nobody has heard of an agent that was online. */
  agentLostAt?: string;
  isProtected?: boolean;
  bootedAt?: string;
  terminatedAt?: string;
}

export type InstanceState =
  | 'pending'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'shutting-down'
  | 'terminated';

export function nameTagOf({ runnerName, shard }: { runnerName: string; shard: string }): string {
  return `${shard}-${runnerName}_runner-manager`;
}
