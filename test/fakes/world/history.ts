/**
 * The world's own account of what happened, as plain data; nothing in it comes from the product's
 * words. `jobs` are those that it hit. `actor` is the run of ours whose effect it was, `world` for what
 * happened by itself or by a person's hand; absent until it was looked at. `wasVisible`: the active
 * shard as that run could see it right before.
 */
export type HistoryEntry = { at: number; actor?: string; wasVisible?: string } & HistoryFact;

export type HistoryFact =
  /** A run of our program, and its end; `how` is said by the CI, `killed` for one that crashed. */
  | {
      kind: 'run_began';
      run: string;
      deployment: string;
      jobId: string;
      command: string;
      runnerName: string;
    }
  | { kind: 'run_ended'; run: string; how: 'done' | 'nothing' | 'error' | 'killed'; code?: string }
  | { kind: 'person'; did: string }
  | { kind: 'job_submitted'; jobId: string; of: 'customer' | 'canary' | 'pipeline'; tags: string[] }
  | { kind: 'job_assigned'; jobId: string; registrationId: string; hostId: string }
  | { kind: 'job_requeued'; jobId: string }
  | { kind: 'job_started'; jobId: string; hostId: string; managerId?: number }
  | { kind: 'job_interrupted'; jobId: string; cause: 'us' | 'force' | 'world' }
  | { kind: 'job_ended'; jobId: string; status: 'success' | 'failed' | 'canceled'; reason?: string }
  | { kind: 'manager_contacted'; hostId: string; registrationId: string; managerId: number }
  | { kind: 'process_ended'; hostId: string }
  | { kind: 'registration_created'; id: string; description: string }
  | { kind: 'registration_removed'; id: string; description: string; jobs: string[] }
  | { kind: 'registration_routed'; id: string; description: string; tags: string[] }
  | { kind: 'intake_set'; id: string; description: string; to: 'open' | 'closed' }
  | { kind: 'token_reset'; id: string; description: string; jobs: string[]; live: boolean }
  | { kind: 'host_created'; hostId: string; name: string }
  | { kind: 'host_terminated'; hostId: string; name: string; jobs: string[]; by: 'us' | 'world' }
  /** An instance with a shard's tags that is no manager of it; `managers` are those that had not ended. */
  | { kind: 'worker_removed'; id: string; managers: string[] }
  | { kind: 'host_cut_off'; hostId: string; name: string; how: 'hangs' | 'offline' }
  | { kind: 'host_came_back'; hostId: string; name: string }
  | { kind: 'process_quit'; hostId: string; name: string; jobs: string[] }
  | { kind: 'process_killed'; hostId: string; name: string; jobs: string[] }
  | {
      kind: 'parameter_written';
      name: string;
      version: number;
      value: string;
      secret: boolean;
      before?: string;
    }
  | { kind: 'parameter_removed'; name: string; before: string }
  | { kind: 'applied'; description: string; changes: number }
  | { kind: 'destroyed'; description: string; resources: number }
  | { kind: 'canary_started'; jobId: string; deployment: string };
