import type { StackShard } from '../../domain/shard.ts';
import { passedOn } from '../transport/words/usual-variables.ts';

export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * What the user's commands may see. A list of what is allowed rather than of what is not: this
 * process holds GitLab's token, and the CI puts secrets of every kind into the environment of its
 * jobs. Tools for infrastructure need their own variables and AWS's, a place to write, a proxy and
 * its certificates; whatever else they need is named in `pass_environment`.
 */
export function commandEnvironment({
  environment,
  passEnvironment,
  shard,
}: {
  environment: CommandEnvironment;
  passEnvironment: readonly string[];
  shard: StackShard;
}): Record<string, string> {
  return {
    ...passedOn(environment, { isOwn: isOfTool, named: passEnvironment }),
    HOSTED_RUNNER_SHARD: shard.shard,
    HOSTED_RUNNER_NAME: shard.runnerName,
  };
}

const toolPrefixes = ['TF_', 'PULUMI_', 'CDK_', 'HELM_'] as const;

function isOfTool(name: string): boolean {
  return toolPrefixes.some((prefix) => name.startsWith(prefix));
}
