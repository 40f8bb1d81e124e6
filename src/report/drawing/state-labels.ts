import type { DrawnState } from './picture.ts';

export const stateLabels: Readonly<Record<DrawnState, string>> = {
  building: 'being built',
  quarantine: 'in quarantine',
  serving: 'serves too',
  active: 'active',
  draining: 'draining',
  destroying: 'being destroyed',
};

/** What a reader of the chart may not guess. */
export const stateMeanings: Readonly<Record<DrawnState, string>> = {
  building: 'its registration exists; its host has not contacted GitLab yet',
  quarantine: "takes the canary's tag only, no customer job",
  serving: 'takes customer jobs beside the active shard',
  active: 'takes customer jobs; the status names it',
  draining: 'takes no new job and lets running ones finish',
  destroying: 'its registration is gone, its infrastructure goes',
};
