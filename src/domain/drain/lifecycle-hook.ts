/** A terminating hook of an Auto Scaling group that holds an instance. */
export interface WaitingHook {
  readonly group: string;
  readonly hook: string;
  readonly instanceId: string;
  /** EC2's state of the instance; `absent` by EC2's own word, long after its end. */
  readonly instance: 'alive' | 'ending' | 'terminated' | 'absent';
}

/** What the host itself said of its runner process; `unknown` where it was not asked or silent. */
export type HookProcess = 'gone' | 'alive' | 'unknown';

interface HookVerdict {
  readonly kind: 'complete' | 'leave';
  readonly reason: string;
}

/**
 * A terminating hook protects running jobs. It is completed only where there can be none: the
 * instance is terminated, or it lives and says itself that its runner process is gone.
 */
export function judgeHook({ instance }: WaitingHook, process: HookProcess): HookVerdict {
  switch (instance) {
    case 'terminated':
      return { kind: 'complete', reason: 'EC2 says that the instance is terminated' };
    case 'absent':
      return { kind: 'complete', reason: 'EC2 knows the instance no more' };
    case 'ending':
      return { kind: 'leave', reason: 'the instance is shutting down' };
    case 'alive':
      return process === 'gone'
        ? { kind: 'complete', reason: 'its host says that the runner process is gone' }
        : { kind: 'leave', reason: `its runner process is ${process}` };
  }
}
