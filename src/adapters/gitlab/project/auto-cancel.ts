import { parse } from 'yaml';
import { z } from 'zod';

/** Values of `workflow:auto_cancel`, one for each rule of `workflow` that can apply. */
export interface AutoCancel {
  readonly onNewCommit: readonly string[];
  readonly onJobFailure: readonly string[];
}

const autoCancel = z.object({
  on_new_commit: z.string().nullish(),
  on_job_failure: z.string().nullish(),
});

export const workflowOfPipeline = z.object({
  workflow: z
    .object({
      auto_cancel: autoCancel.nullish(),
      rules: z
        .array(z.object({ when: z.string().nullish(), auto_cancel: autoCancel.nullish() }))
        .nullish(),
    })
    .nullish(),
});

/** Lines for `.gitlab-ci.yml` that a component cannot set. */
export const autoCancelLines = [
  'workflow:',
  '  auto_cancel:',
  '    on_new_commit: none',
  '    on_job_failure: none',
] as const;

/** Parses the merged configuration of a pipeline. Undefined if it has another structure. */
export function readAutoCancel(merged: string): AutoCancel | undefined {
  let document: unknown;
  try {
    document = parse(merged, { logLevel: 'error' });
  } catch {
    return undefined;
  }
  const { success, data } = workflowOfPipeline.safeParse(document);
  if (!success) return undefined;
  const { auto_cancel: base, rules } = data.workflow ?? {};
  const applicable = (rules ?? []).filter(({ when }) => when !== 'never');
  const own = applicable.length === 0 ? [undefined] : applicable.map((rule) => rule.auto_cancel);
  const valuesOf = (key: 'on_new_commit' | 'on_job_failure', usual: string) => [
    ...new Set(own.map((rule) => rule?.[key] ?? base?.[key] ?? usual)),
  ];
  return {
    onNewCommit: valuesOf('on_new_commit', 'conservative'),
    onJobFailure: valuesOf('on_job_failure', 'none'),
  };
}
