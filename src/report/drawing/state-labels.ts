import type { DrawnState } from './picture.ts';

export const stateLabels: Readonly<Record<DrawnState, string>> = {
  building: 'being built',
  quarantine: 'in quarantine',
  serving: 'accepts jobs too',
  active: 'active',
  draining: 'draining',
  destroying: 'being destroyed',
};

/** Explanations of the states for the legend. */
export const stateMeanings: Readonly<Record<DrawnState, string>> = {
  building: 'its runner exists; its host has not contacted GitLab yet',
  quarantine: "takes only the canary's tag, no customer job",
  serving: 'takes customer jobs beside the active shard',
  active: 'takes customer jobs; it is the active shard',
  draining: 'takes no new job and finishes running jobs',
  destroying: 'its runner is removed, its infrastructure is being removed',
};
