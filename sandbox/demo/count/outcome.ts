/** One attempt to deploy; a recovery goes on with the id of what it recovers. */
export interface DeploymentRow {
  readonly id: string;
  readonly candidate: string;
  readonly outcome: 'done' | 'unhealthy' | 'taken_back' | 'failed';
  readonly seconds: number;
  readonly overlapSeconds: number;
}

/** For people; programs are told the outcome's own name. */
export const outcomeWords: Readonly<Record<DeploymentRow['outcome'], string>> = {
  done: 'done',
  unhealthy: 'unhealthy',
  taken_back: 'taken back',
  failed: 'failed',
};
