/**
 * Entry of the world's history, as plain data that does not depend on the product's output. `jobs`
 * lists affected jobs. `actor` is the run that caused the effect, or `world` for events without
 * one; absent until checked. `wasVisible` is the active shard that the run could read right before.
 */
export type HistoryEntry = { at: number; actor?: string; wasVisible?: string } & HistoryFact;

export type HistoryFact =
  /** Run of the product and its end. The CI reports `how`; `killed` means a crash. */
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
  /**
   * Removal of an instance with a shard's tags that is no manager. `managers` are those that had
   * not ended.
   */
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
