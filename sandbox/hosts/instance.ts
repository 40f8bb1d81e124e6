/** Machine as EC2 and Systems Manager show it, stored in the folder. */
export interface Instance {
  readonly id: string;
  /** Name of the resource in the state of the sandbox's infrastructure: `{shard}-{runner_name}_runner-manager`. */
  readonly nameTag: string;
  tags: Readonly<Record<string, string>>;
  readonly runnerName: string;
  readonly shard: string;
  /** Content of `.runner_system_id`, constant for the life of the machine. */
  readonly systemId: string;
  readonly launchedAt: string;
  state: InstanceState;
  /** State of the SSM agent. A deaf agent still pings, and no command reaches it. */
  agent: 'online' | 'lost' | 'deaf';
  /** Time from which Systems Manager knows the agent. */
  agentRegisteredAt?: string;
  /** Time of the last contact with an agent that was online. */
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
