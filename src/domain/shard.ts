declare const brand: unique symbol;
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** Name of one of the two copies of a stack, as in the configuration. */
export type Shard = Branded<string, 'Shard'>;

/** Name of a stack, `runner_name` in the configuration. */
export type RunnerName = Branded<string, 'RunnerName'>;

/** Id from the pipeline: a retried job belongs to the same deployment. */
export type DeploymentId = Branded<string, 'DeploymentId'>;

/** Id of a runner in GitLab; opaque to everything except the adapter. */
export type RegistrationId = Branded<string, 'RegistrationId'>;

export type ShardPair = readonly [Shard, Shard];

export function otherShard(pair: ShardPair, shard: Shard): Shard {
  return pair[0] === shard ? pair[1] : pair[0];
}

export function isShard(pair: ShardPair, text: string): text is Shard {
  return pair[0] === text || pair[1] === text;
}

/** Description of the runner, and prefix of all names of the shard's resources. */
export function shardDescription({ runnerName, shard }: StackShard): string {
  return `${shard}-${runnerName}`;
}

/** Name tag of the host that runs `gitlab-runner`. */
export function managerHostName({ runnerName, shard }: StackShard): string {
  return `${shard}-${runnerName}_runner-manager`;
}

export interface StackShard {
  readonly runnerName: RunnerName;
  readonly shard: Shard;
}
