/** Terminating hook of an Auto Scaling group that holds an instance. */
export interface WaitingHook {
  readonly group: string;
  readonly hook: string;
  readonly instanceId: string;
  /** EC2's state of the instance. `absent`: EC2 no longer lists it, long after its end. */
  readonly instance: 'alive' | 'ending' | 'terminated' | 'absent';
}

/**
 * Runner process as reported by the host; `unknown` if the host was not queried or did not respond.
 */
export type HookProcess = 'gone' | 'alive' | 'unknown';

interface HookVerdict {
  readonly kind: 'complete' | 'leave';
  readonly reason: string;
}

/**
 * Decides whether to complete a terminating hook, which protects running jobs. It is completed only
 * if none can run: the instance is terminated, or its host reports that the runner process is gone.
 */
export function judgeHook({ instance }: WaitingHook, process: HookProcess): HookVerdict {
  switch (instance) {
    case 'terminated':
      return { kind: 'complete', reason: 'EC2 reports the instance as terminated' };
    case 'absent':
      return { kind: 'complete', reason: 'EC2 no longer lists the instance' };
    case 'ending':
      return { kind: 'leave', reason: 'the instance is shutting down' };
    case 'alive':
      return process === 'gone'
        ? { kind: 'complete', reason: 'its host reports that the runner process has ended' }
        : { kind: 'leave', reason: `its runner process is ${process}` };
  }
}
