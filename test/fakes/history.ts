/** What happened to things that the invariants are about. `jobs` are those that it hit. */
export type HistoryEntry = { at: number } & (
  | { kind: 'registration_created'; id: string; description: string }
  | { kind: 'registration_removed'; id: string; description: string; jobs: string[] }
  | { kind: 'registration_routed'; id: string; description: string; tags: string[] }
  | { kind: 'intake_set'; id: string; description: string; to: 'open' | 'closed' }
  | { kind: 'token_reset'; id: string; description: string; jobs: string[]; live: boolean }
  | { kind: 'host_created'; hostId: string; name: string }
  | { kind: 'host_terminated'; hostId: string; name: string; jobs: string[]; by: 'us' | 'world' }
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
  | { kind: 'canary_started'; jobId: string; deployment: string }
);
