import type { Clock } from '../../../ports/clock.ts';
import { isPassing, isPortFailure } from '../../../ports/failure.ts';
import type { Ssm } from '../services.ts';

/** An order that a single read has seen running. */
export interface RunningOrder {
  readonly commandId: string;
  readonly hostId: string;
  /** By the clock of this process, in milliseconds since 1970. */
  readonly sentAt: number;
}

/**
 * The running orders of all stacks of one process. One list of Systems Manager replaces a read of each.
 * The list can only show that an order still runs; a read of the order itself decides everything else.
 */
export interface RunningOrders {
  /** False proves nothing: the order ended, is missing in the list, or no list was read. */
  isListed(order: RunningOrder, ssm: Ssm): Promise<boolean>;
  /** The order is not followed any more. */
  remove(order: RunningOrder): void;
}

interface Listing {
  readonly readAt: number;
  readonly keys: Promise<ReadonlySet<string>>;
}

/** A list answers for the orders that are due within this time after it was sent. */
const sharedForMs = 500;
const restMs = 60_000;
/** The most that ListCommandInvocations returns at once. */
const perPage = 50;
/** More than the difference of two clocks with which AWS still accepts a signature. */
const clockMarginMs = 15 * 60_000;

export function createRunningOrders(clock: Pick<Clock, 'now' | 'elapsed'>): RunningOrders {
  const orders = new Set<RunningOrder>();
  let latest: Listing | undefined;
  let restsUntil = Number.NEGATIVE_INFINITY;
  return {
    async isListed(order, ssm) {
      orders.add(order);
      const now = clock.elapsed();
      if (orders.size < 2 || now < restsUntil) return false;
      if (latest === undefined || now - latest.readAt > sharedForMs)
        latest = { readAt: now, keys: readRunning(ssm, [...orders]) };
      try {
        return (await latest.keys).has(keyOf(order));
      } catch (error) {
        // It was read in a call of somebody else, which is cancelled.
        if (!isPortFailure(error)) return false;
        // Without the permission, or where the operation does not exist, a later attempt fails as well.
        restsUntil = isPassing(error) ? clock.elapsed() + restMs : Number.POSITIVE_INFINITY;
        return false;
      }
    },
    remove(order) {
      orders.delete(order);
    },
  };
}

function keyOf({ commandId, hostId }: Pick<RunningOrder, 'commandId' | 'hostId'>): string {
  return `${commandId} ${hostId}`;
}

/**
 * Commands of other programs may run in the account: it reads no more pages than the orders fill, and
 * one more.
 */
async function readRunning(
  ssm: Ssm,
  orders: readonly RunningOrder[],
): Promise<ReadonlySet<string>> {
  const missing = new Set(orders.map(keyOf));
  const found = new Set<string>();
  const oldest = Math.min(...orders.map(({ sentAt }) => sentAt));
  const after = new Date(oldest - clockMarginMs).toISOString().replace(/\.\d+Z$/, 'Z');
  let next: string | undefined;
  for (let left = Math.ceil(orders.length / perPage) + 1; left > 0; left -= 1) {
    const answer = await ssm.ask({
      what: 'ListCommandInvocations',
      effect: 'read',
      // A read of each order is the repetition.
      once: true,
      call: (client, options) =>
        client.listCommandInvocations(
          {
            Filters: [
              { key: 'InvokedAfter', value: after },
              { key: 'Status', value: 'InProgress' },
            ],
            MaxResults: perPage,
            ...(next === undefined ? {} : { NextToken: next }),
          },
          options,
        ),
    });
    if (answer.kind === 'refusal') break;
    for (const { CommandId, InstanceId, Status } of answer.value.CommandInvocations ?? []) {
      const key = keyOf({ commandId: CommandId ?? '', hostId: InstanceId ?? '' });
      if (Status === 'InProgress' && missing.delete(key)) found.add(key);
    }
    next = answer.value.NextToken;
    if (missing.size === 0 || next === undefined || next === '') break;
  }
  return found;
}
