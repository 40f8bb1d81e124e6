/** A terminating hook of an Auto Scaling group that holds an instance. */
export interface WaitingHook {
  readonly group: string;
  readonly hook: string;
  readonly instanceId: string;
  /** EC2's state of the instance; `absent` by EC2's own word, long after its end. */
  readonly instance: 'alive' | 'ending' | 'terminated' | 'absent';
}
