/** Fields of GitLab's job payload that a shell executor needs. */
export interface JobPayload {
  id: number;
  token: string;
  job_info?: {
    name?: string;
    stage?: string;
    project_id?: number;
    project_name?: string;
    project_full_path?: string;
    pipeline_id?: number;
    user_id?: number;
    time_in_queue_seconds?: number;
  };
  git_info?: { repo_url?: string };
  runner_info?: { timeout?: number };
  variables?: readonly JobVariable[];
  steps?: readonly JobStep[];
  features?: { failure_reasons?: readonly string[] };
}

export interface JobVariable {
  key: string;
  value: string;
  file?: boolean;
  masked?: boolean;
}

export interface JobStep {
  name: string;
  script: readonly string[];
  timeout?: number;
  when?: 'on_success' | 'on_failure' | 'always';
  allow_failure?: boolean;
}

export interface JobUpdate {
  state: 'pending' | 'running' | 'success' | 'failed';
  failure_reason?: string;
  checksum?: string;
  output?: { checksum: string; bytesize: number };
  exit_code?: number;
}

export interface RunnerInfo {
  name: string;
  version: string;
  revision: string;
  platform: string;
  architecture: string;
  executor: string;
  shell: string;
  features: Record<string, boolean>;
  config: { gpus: string };
}

/** Returns the repository's address without the job's token, as the runner logs it. */
export function repositoryOf({ git_info: info }: JobPayload): string {
  return (info?.repo_url ?? '').replace(/\/\/[^/@]*@/, '//');
}
