import type { StackShard } from '../../domain/shard.ts';
import { passedOn } from '../transport/words/usual-variables.ts';

export type CommandEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Builds the environment of the user's commands from a list of allowed variables. This process
 * holds GitLab's token, and the CI puts other secrets into the environment. Infrastructure tools
 * need their own variables, AWS's, a place to write, a proxy and certificates. `pass_environment`
 * names all others.
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
