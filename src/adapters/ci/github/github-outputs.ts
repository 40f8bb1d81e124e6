import { type RunOutput, runOutputs } from '../../../report/run-outputs.ts';
import type { RunReport } from '../../../report/run-report.ts';

/** Outputs of the action, in the order of the documentation; a test holds action.yml against them. */
export const actionOutputs = [
  {
    name: 'active_shard',
    description: 'The active shard, as last seen; empty where nobody looked.',
  },
  { name: 'candidate', description: 'The shard that the deployment brings up.' },
  { name: 'retiring', description: 'The shard that it replaces; empty in the first deployment.' },
  { name: 'phase', description: 'The phase that the deployment has reached.' },
  { name: 'deployment_id', description: "The deployment's id." },
  {
    name: 'outcome',
    description: 'done, nothing, failed, refused, stopped, unfinished or cancelled.',
  },
  {
    name: 'jobs_finished',
    description:
      'Jobs that finished on the old shard while it drained; at_least_41 where more than 40 were seen, unknown where they could not be seen, empty before.',
  },
  {
    name: 'jobs_broken',
    description:
      'Jobs lost or interrupted meanwhile; at_least_6 where not all are named, unknown where they could not be seen.',
  },
  {
    name: 'longest_wait_seconds',
    description:
      "The longest wait of a customer's job for a runner, by the CI; 0 if no job waited, or unknown.",
  },
  {
    name: 'two_shards_seconds',
    description: 'How long both shards existed, by our own clock; or unknown.',
  },
  {
    name: 'exit_code',
    description: '0, 1, 2, 3, 75 or 130; docs/use/github.md says what they mean.',
  },
] as const satisfies readonly {
  readonly name: RunOutput | 'exit_code';
  readonly description: string;
}[];

type ActionOutput = (typeof actionOutputs)[number]['name'];

export function outputsOf(report: RunReport): Readonly<Record<ActionOutput, string>> {
  return { ...runOutputs(report), exit_code: String(report.exitCode) };
}
