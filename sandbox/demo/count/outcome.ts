/** One attempt to deploy. A recovery continues with the id of the failed deployment. */
export interface DeploymentRow {
  readonly id: string;
  readonly candidate: string;
  readonly outcome: 'done' | 'unhealthy' | 'taken_back' | 'failed';
  readonly seconds: number;
  readonly overlapSeconds: number;
}

/** Text of each outcome for users. Programs read the outcome's own name. */
export const outcomeWords: Readonly<Record<DeploymentRow['outcome'], string>> = {
  done: 'done',
  unhealthy: 'unhealthy',
  taken_back: 'rolled back',
  failed: 'failed',
};
