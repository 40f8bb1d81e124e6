export const PROCESS_MODES = [
  'unordered',
  'oldest_first',
  'newest_first',
  'newest_ready_first',
] as const;
export type ProcessMode = (typeof PROCESS_MODES)[number];

/** Settings of a project's pipelines. */
export interface PipelineSettings {
  /** Role from which on a user may set pipeline variables. */
  minimumRole: 'owner' | 'developer' | 'maintainer' | 'no_one_allowed';
  /** Whether GitLab enforces the role. */
  isRestricted: boolean;
  autoCancel: 'enabled' | 'disabled';
  /** Process mode of new resource groups. */
  processMode: ProcessMode;
  /** `workflow` in the project's `.gitlab-ci.yml`. */
  workflow: Record<string, unknown>;
}

export interface PipelineSchedule {
  id: number;
  description: string;
  ref: string;
  cron: string;
  cronTimezone: string;
  active: boolean;
  ownerId: number;
  createdAt: number;
}

/** Returns the settings that the product's documentation requires of a deploying project. */
export function wellSet(): PipelineSettings {
  return {
    minimumRole: 'no_one_allowed',
    isRestricted: true,
    autoCancel: 'enabled',
    processMode: 'unordered',
    workflow: { auto_cancel: { on_new_commit: 'none', on_job_failure: 'none' } },
  };
}
