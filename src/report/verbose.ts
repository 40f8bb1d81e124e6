import type { LogEvent } from '../ports/log-event.ts';
import { formatBake } from './bake-text.ts';

/**
 * What `--verbose` shows of an event: one line of what the quiet run leaves out, or undefined where a
 * person was told already. No argument and no answer of a call is in it: they may hold a customer's words.
 */
export function formatEvent(event: LogEvent): string | undefined {
  switch (event.kind) {
    case 'call':
      return event.outcome === 'answered'
        ? `${event.effect ? 'Did' : 'Asked'} ${event.call}.`
        : `${event.call} was refused: ${event.error}`;
    case 'http_repetition':
      return `Repeated a request to ${event.source} after ${event.afterMs} ms (attempt ${event.attempts + 1}).`;
    case 'gitlab':
      return event.outcome === 'answered'
        ? `GitLab is ${event.version}; its clock is ${event.ahead_ms} ms ahead.`
        : `GitLab's first answer: ${event.detail}`;
    case 'silence':
      return `${event.side} has not answered for ${event.ms} ms.`;
    case 'guard':
      return `Guard ${event.guard}: ${event.outcome}${event.detail === undefined ? '' : `: ${event.detail}`}.`;
    case 'evidence':
      return `Looked at ${event.shard}: ${event.verdict}; ${event.evidence
        .map(({ kind, state, detail }) => `${kind} ${state} (${detail})`)
        .join('; ')}.`;
    case 'record':
      return `The record was ${event.how}: ${event.deployment.id} is ${event.deployment.phase}.`;
    case 'step':
      return `Step ${event.step} begins at ${event.phase}.`;
    case 'status':
      return `The status names ${event.active ?? 'no shard'}.`;
    case 'service':
      return `Whether ${event.shard} serves: ${event.service.kind}: ${event.service.reason}.`;
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
