import type { FaultedCall } from '../../../sandbox/faults.ts';
import type { World } from '../by-hand/world/world.ts';
import { entryOfLock } from './kills.ts';

export interface Struck {
  readonly name: string;
  /** It changed something, as some request before it may have. */
  readonly isEffect: boolean;
  /** Nothing was changed so far, save in Parameter Store. */
  readonly isMendable: boolean;
}

/**
 * Calls `strike` once, at the n-th request that a deployment sends from now on; that request takes
 * effect, and nobody is left to hear the answer. Of looks that follow one another the first counts: a
 * death at a later one leaves the same world. A command on a host is mostly a look as well, and counts
 * wherever it was not sent since the last effect.
 */
export function strikeAt(
  { sandbox: { faults } }: World,
  { nth, strike }: { nth: number; strike: (request: Struck) => void },
): () => void {
  const usual = faults.pick;
  const sent = new Set<string>();
  let count = 0;
  let isLooking = false;
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
    const counts = isEffect || isCommand || !isLooking;
    isLooking = !isEffect;
    if (!counts) return usual(call);
    count += 1;
    if (count === nth) strike({ name: nameOf(call), isEffect, isMendable });
    return usual(call);
  };
  return () => {
    faults.pick = usual;
  };
}

/** All canaries that have ever run are looked at, in as many pages as it takes. */
function kindOf({ method, path, operation }: FaultedCall): string {
  return operation ?? `${method} ${path?.replace(/pipelines\/\d+/, 'pipelines/:id')}`;
}

function nameOf(call: FaultedCall): string {
  const isOfLock = call.operation === 'PutParameter' && call.asked?.includes('/deployment_lock');
  return isOfLock === true ? entryOfLock : kindOf(call);
}

function wordsOf(call: FaultedCall): string {
  return `${kindOf(call)} ${call.asked?.replace(/\bpage=\d+/, '')}`;
}

/** A command on a host counts as the look that it mostly is: a wait sends the same one again and again. */
function changes({ method, operation }: FaultedCall): boolean {
  if (operation === undefined) return method !== 'GET';
  return operation !== 'SendCommand' && !/^(?:Get|Describe|List|Simulate)/.test(operation);
}
