import type { LogEvent } from '../ports/log-event.ts';
import { formatBake } from './bake-text.ts';

/**
 * Formats an event for `--verbose`. Undefined if the log already shows it. Arguments and responses
 * of calls are omitted: they may contain a customer's text.
 */
export function formatEvent(event: LogEvent): string | undefined {
  switch (event.kind) {
    case 'call':
      return event.outcome === 'answered'
        ? `Called ${event.call}${event.effect ? ' (effect)' : ''}.`
        : `${event.call} failed: ${event.error}`;
    case 'http_repetition':
      return `Retried a request to ${event.source} after ${event.afterMs} ms (attempt ${event.attempts + 1}).`;
    case 'gitlab':
      return event.outcome === 'answered'
        ? `GitLab is ${event.version}; its clock is ${event.ahead_ms} ms ahead.`
        : `Server probe of GitLab: ${event.detail}`;
    case 'silence':
      return `${event.side} has not responded for ${event.ms} ms.`;
    case 'guard':
      return `Guard ${event.guard}: ${event.outcome}${event.detail === undefined ? '' : `: ${event.detail}`}.`;
    case 'evidence':
      return `Checked ${event.shard}: ${event.verdict}; ${event.evidence
        .map(({ kind, state, detail }) => `${kind} ${state} (${detail})`)
        .join('; ')}.`;
    case 'record':
      return `Deployment record ${event.how}: ${event.deployment.id} is in phase ${event.deployment.phase}.`;
    case 'step':
      return `Started step ${event.step} at phase ${event.phase}.`;
    case 'status':
      return `The active shard is ${event.active ?? 'not set'}.`;
    case 'service':
      return `Availability of ${event.shard}: ${event.service.kind}: ${event.service.reason}.`;
    case 'drain':
      return `Drain of ${event.shard}: ${event.judgement.kind}: ${event.judgement.reason}.`;
    case 'bake':
      return `Bake: ${formatBake(event)}.`;
    case 'removal':
      return event.judgement.kind === 'wait'
        ? `Removal of ${event.shard} waits: ${event.judgement.reason}.`
        : undefined;
    default:
      return undefined;
  }
}
