import type { CallUsage, LimitInForce } from '../../domain/call-usage.ts';
import { renderTableWithin } from './terminal-table.ts';

const head = [
  'API',
  'calls of this run',
  'last minute',
  'last hour',
  'throttled',
  'limit in force',
  'remaining',
];

/** Renders a row for each endpoint, with the calls of all stacks. */
export async function renderApiCalls(
  usages: readonly CallUsage[],
  { columns }: { columns?: number | undefined } = {},
): Promise<string> {
  if (usages.length === 0) return 'API calls: none.\n';
  const rows = usages.map((usage) => [
    usage.endpoint === '' ? usage.service : `${usage.service} (${usage.endpoint})`,
    `${usage.calls}`,
    `${usage.last_minute}`,
    `${usage.last_hour}`,
    `${usage.throttled}`,
    usage.limits.map(describeLimitInForce).join('\n'),
    describeRemaining(usage.remaining),
  ]);
  return `API calls:\n${await renderTableWithin({ head, rows }, columns)}\n`;
}

function describeLimitInForce(limit: LimitInForce): string {
  const source = limit.source === 'key' ? limit.key : limit.source.replace('_', ' ');
  return `${limit.calls} ${limit.per === 'hour' ? 'an hour' : 'a minute'} (${source})`;
}

function describeRemaining(remaining: CallUsage['remaining']): string {
  if (remaining === null) return 'not reported';
  return `${remaining.calls} of ${remaining.of} until ${remaining.resets_at}`;
}
