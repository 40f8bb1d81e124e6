import type { FaultedCall } from '../../../sandbox/faults.ts';
import type { World } from '../by-hand/world/world.ts';
import { entryOfLock } from './kills.ts';

export interface Struck {
  readonly name: string;
  /** Whether this request changes anything. */
  readonly isEffect: boolean;
  /** Whether only Parameter Store has changed so far. */
  readonly isMendable: boolean;
}

/**
 * Calls `strike` once, at the n-th counted request that a deployment sends from now on. The request
 * takes effect, and the response has no reader.
 * A sequence of reads counts once, because a death at any of them leaves the same world. A command
 * on a host is mostly a read. It counts unless the same command was sent since the last effect.
 */
export function strikeAt(
  { sandbox: { faults } }: World,
  { nth, strike }: { nth: number; strike: (request: Struck) => void },
): () => void {
  const usual = faults.pick;
  const sent = new Set<string>();
  let count = 0;
  let isReading = false;
  let isMendable = true;
  faults.pick = (call) => {
    if (call.service === 'runner') return usual(call);
    const isEffect = changes(call);
    const isCommand = call.operation === 'SendCommand' && !sent.has(wordsOf(call));
    if (isEffect) {
      sent.clear();
      isMendable &&= call.operation === 'PutParameter';
    }
    if (isCommand) sent.add(wordsOf(call));
    const counts = isEffect || isCommand || !isReading;
    isReading = !isEffect;
    if (!counts) return usual(call);
    count += 1;
    if (count === nth) strike({ name: nameOf(call), isEffect, isMendable });
    return usual(call);
  };
  return () => {
    faults.pick = usual;
  };
}

/**
 * Returns the kind of a request. Pipeline ids are masked, because the program reads all canaries
 * that ever ran, on any number of pages.
 */
function kindOf({ method, path, operation }: FaultedCall): string {
  return operation ?? `${method} ${path?.replace(/pipelines\/\d+/, 'pipelines/:id')}`;
}

function nameOf(call: FaultedCall): string {
  const isOfLock =
    call.operation === 'PutParameter' && call.parameters?.includes('/deployment_lock');
  return isOfLock === true ? entryOfLock : kindOf(call);
}

function wordsOf(call: FaultedCall): string {
  return `${kindOf(call)} ${call.parameters?.replace(/\bpage=\d+/, '')}`;
}

/**
 * Decides whether a request changes anything. A command on a host counts as a read, because waits
 * repeat it.
 */
function changes({ method, operation }: FaultedCall): boolean {
  if (operation === undefined) return method !== 'GET';
  return operation !== 'SendCommand' && !/^(?:Get|Describe|List|Simulate)/.test(operation);
}
