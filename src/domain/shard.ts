declare const brand: unique symbol;
export type Branded<T, Name extends string> = T & { readonly [brand]: Name };

/** The name of one of the two copies of a stack, as the configuration spells it. */
export type Shard = Branded<string, 'Shard'>;

/** The name of a stack, `runner_name` in the configuration. */
export type RunnerName = Branded<string, 'RunnerName'>;

/** The pipeline's own id, so that a retried job of it is the same deployment. */
export type DeploymentId = Branded<string, 'DeploymentId'>;

/** The runner record's id in GitLab; an opaque word to everything but the adapter. */
export type RegistrationId = Branded<string, 'RegistrationId'>;

export type ShardPair = readonly [Shard, Shard];

export function otherShard(pair: ShardPair, shard: Shard): Shard {
  return pair[0] === shard ? pair[1] : pair[0];
}

export function isShard(pair: ShardPair, text: string): text is Shard {
  return pair[0] === text || pair[1] === text;
}

/** The registration's description, and the prefix of every name of the shard's resources. */
export function shardDescription({ runnerName, shard }: StackShard): string {
  return `${shard}-${runnerName}`;
}

/** The Name tag of the host that runs `gitlab-runner`. */
export function managerHostName({ runnerName, shard }: StackShard): string {
  return `${shard}-${runnerName}_runner-manager`;
}

export interface StackShard {
  readonly runnerName: RunnerName;
  readonly shard: Shard;
}
