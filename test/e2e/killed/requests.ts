import type { FaultedCall } from '../../../src/sandbox/faults.ts';
import type { World } from '../by-hand/world.ts';
import { entryOfLock } from './strikes.ts';

export interface Struck {
  readonly name: string;
  /** It changed something, as some request before it may have. */
  readonly isEffect: boolean;
  /** Nothing was changed so far, save in Parameter Store. */
  readonly isMendable: boolean;
}

/**
 * Calls `strike` once, at the n-th request that a deployment sends from now on; that request takes
 * effect, and nobody is left to hear the answer. How often a loop looks is the machine's doing, and a
 * look leaves the world as it is: one that was made word for word since the last effect is not counted
 * again, and where the world cannot be put back any more, neither is one of the same kind.
 */
export function strikeAt(
  { sandbox: { faults } }: World,
  { nth, strike }: { nth: number; strike: (request: Struck) => void },
): () => void {
  const usual = faults.pick;
  const known = new Set<string>();
  let count = 0;
  let command = '';
  let isMendable = true;
  faults.pick = (call) => {
    if (call.service === 'runner') return usual(call);
    const isEffect = changes(call);
    if (isEffect) {
      known.clear();
      isMendable &&= call.operation === 'PutParameter';
    }
    if (call.operation === 'SendCommand') command = wordsOf(call);
    // The id of a command is another one each time; what it says is not.
    const ofCommand = /CommandInvocation|SendCommand/.test(call.operation ?? '');
    const words = isMendable ? wordsOf(call) : kindOf(call);
    const look = ofCommand ? `${call.operation} ${command}` : words;
    if (!isEffect && known.has(look)) return usual(call);
    known.add(look);
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
