import type { Clock } from '../../../ports/clock.ts';
import { isPassing, isPortFailure } from '../../../ports/failure.ts';
import type { Ssm } from '../services.ts';

/** Order that an earlier read reported as running. */
export interface RunningOrder {
  readonly commandId: string;
  readonly hostId: string;
  /** Milliseconds since 1970, by the clock of this process. */
  readonly sentAt: number;
}

/**
 * Running orders of all stacks of one process. One Systems Manager list replaces a read of each
 * order. The list can only prove that an order still runs; a read of the order decides everything
 * else.
 */
export interface RunningOrders {
  /**
   * Returns whether the list shows the order. False proves nothing: it ended, is missing, or no
   * list was read.
   */
  isListed(order: RunningOrder, ssm: Ssm): Promise<boolean>;
  /** Stops following the order. */
  remove(order: RunningOrder): void;
}

interface Listing {
  readonly readAt: number;
  readonly keys: Promise<ReadonlySet<string>>;
}

/** Time for which a list is valid for other orders. */
const sharedForMs = 500;
const restMs = 60_000;
/** The most that ListCommandInvocations returns at once. */
const perPage = 50;
/** Margin above the clock difference at which AWS still accepts a signature. */
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
        // Another caller made the request, and that call was cancelled.
        if (!isPortFailure(error)) return false;
        // Without the permission or the operation, a later attempt fails as well.
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
 * Reads the running orders. Other programs may run commands in the account, so the number of pages
 * is limited to those that the orders fill, plus one.
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
    const answer = await ssm.send({
      what: 'ListCommandInvocations',
      effect: 'read',
      // The read of each order replaces a retry.
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
