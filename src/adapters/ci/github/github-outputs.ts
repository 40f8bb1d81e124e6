import { type RunOutput, runOutputs } from '../../../report/run-outputs.ts';
import type { RunReport } from '../../../report/run-report.ts';

/**
 * Outputs of the action, in the order of the documentation. A test compares action.yml with them.
 */
export const actionOutputs = [
  {
    name: 'active_shard',
    description: 'Active shard at the last check. Empty if no check ran.',
  },
  { name: 'candidate', description: 'Shard that the deployment builds.' },
  {
    name: 'retiring',
    description: 'Shard that the deployment replaces. Empty in the first deployment.',
  },
  { name: 'phase', description: 'Phase that the deployment has reached.' },
  { name: 'deployment_id', description: "The deployment's id." },
  {
    name: 'outcome',
    description: 'done, nothing, failed, refused, stopped, unfinished or cancelled.',
  },
  {
    name: 'jobs_finished',
    description:
      'Jobs that finished on the old shard during the drain: a number, a lower bound (such as at_least_41) or unknown. Empty before the drain.',
  },
  {
    name: 'jobs_broken',
    description:
      'Jobs lost or interrupted during the drain: a number, a lower bound (such as at_least_6) or unknown.',
  },
  {
    name: 'longest_wait_seconds',
    description:
      'Longest wait of a customer job for a runner, as the CI reports it: unknown, or a number (0 if no job waited).',
  },
  {
    name: 'two_shards_seconds',
    description: 'Time for which both shards existed, by the clock of hosted-runner, or unknown.',
  },
  {
    name: 'exit_code',
    description: '0, 1, 2, 3, 75 or 130. Meanings: docs/use/github.md.',
  },
] as const satisfies readonly {
  readonly name: RunOutput | 'exit_code';
  readonly description: string;
}[];

type ActionOutput = (typeof actionOutputs)[number]['name'];

export function outputsOf(report: RunReport): Readonly<Record<ActionOutput, string>> {
  return { ...runOutputs(report), exit_code: String(report.exitCode) };
}
