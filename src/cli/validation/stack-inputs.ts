import type { PipelineValue } from '../../config/files/pipeline-file.ts';
import type { StackSettings } from '../../domain/settings.ts';
import { show } from '../../domain/text/show.ts';
import { didYouMean } from '../../domain/text/suggestion.ts';
import { hasExpression } from './input-check.ts';

/** Inputs by name. */
type Inputs = ReadonlyMap<string, PipelineValue>;

/** Compares the inputs of a pipeline with the stacks of the configuration. */
export interface ConfiguredStacks {
  /** Path of the configuration. */
  readonly path: string;
  /** Names of stacks that the configuration does not contain. */
  judgeNames(names: PipelineValue | undefined): string[];
  /** Tags of the jobs that the stack's own runners have too. */
  judgeTags(tags: PipelineValue | undefined, stack: PipelineValue | undefined): string[];
  /** A canary job that the configuration does not use. */
  judgeCanary(inputs: Inputs, place: string): string[];
  /** A canary job whose name differs from the configuration. */
  judgeCanaryName(inputs: Inputs): string[];
}

/**
 * @param names all names in the configuration
 * @param stacks settings of the stacks without problems
 */
export function configuredStacks(
  path: string,
  names: readonly string[],
  stacks: ReadonlyMap<string, StackSettings>,
): ConfiguredStacks {
  const settingsOf = (name: PipelineValue | undefined) => stacks.get(String(name?.value));
  return {
    path,
    judgeNames: (given) =>
      [given?.value ?? []]
        .flat()
        .filter((name) => !hasExpression(name) && !names.includes(String(name)))
        .map(
          (name) =>
            `${given?.place}: ${path} has no stack ${show(name)}${didYouMean(String(name), names)}`,
        ),
    judgeTags(given, name) {
      const tags = settingsOf(name)?.registration.tags ?? [];
      const wanted = [given?.value ?? []].flat();
      if (hasExpression(wanted) || wanted.length === 0) return [];
      return wanted.every((tag) => tags.some((one) => one === tag))
        ? [
            `${given?.place}: runner_tags: the runners of ${String(name?.value)} have ${wanted.length === 1 ? 'this tag' : 'these tags'}, so they could run the job that drains them`,
          ]
        : [];
    },
    judgeCanary(inputs, place) {
      const kind = settingsOf(inputs.get('runner_name'))?.canary.kind;
      const canary = inputs.get('canary');
      return kind !== undefined && kind !== 'job' && (canary?.value ?? true) === true
        ? [`${canary?.place ?? place}: set canary: false, because canary.kind is ${kind}`]
        : [];
    },
    judgeCanaryName(inputs) {
      const canary = settingsOf(inputs.get('runner_name'))?.canary;
      const prefix = inputs.get('job_prefix');
      const name = `${String(prefix?.value ?? '')}hosted_runner_canary`;
      if (canary?.kind !== 'job' || hasExpression(prefix?.value) || canary.jobName === name)
        return [];
      const place = (prefix ?? inputs.get('runner_name'))?.place;
      return [
        `${place}: the canary job is ${name}, but canary.job_name is ${canary.jobName}, so finalize and recover cannot find it.`,
      ];
    },
  };
}
