import type { RunReport } from '../report/run-report.ts';

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
  { name: 'exit_code', description: '0, 1, 2, 3, 75 or 130; docs/github.md says what they mean.' },
] as const;

export type ActionOutput = (typeof actionOutputs)[number]['name'];

export function outputsOf(report: RunReport): Readonly<Record<ActionOutput, string>> {
  const { activeShard, deployment, outcome, exitCode } = report;
  return {
    active_shard: activeShard ?? '',
    candidate: deployment?.candidate ?? '',
    retiring: deployment?.retiring ?? '',
    phase: deployment?.phase ?? '',
    deployment_id: deployment?.id ?? '',
    outcome,
    exit_code: String(exitCode),
  };
}
