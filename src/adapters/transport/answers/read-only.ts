import { parseJson } from '../../../domain/text/json.ts';
import type { TransportAnswer } from '../request.ts';

/**
 * GitLab's own words in its maintenance mode, where every write of everybody is refused, also a
 * runner's question for a job; and, from 19.2 on, of an organization. Nothing else tells this 403
 * from that of who may not: https://docs.gitlab.com/administration/maintenance_mode/
 */
const words = [
  /^You cannot perform write operations on a read-only instance$/,
  /^(?:403 Forbidden - )?This organization is currently in read-only mode\b/,
];

/** Whether a write was refused because nobody may write there now. It has changed nothing. */
export function isReadOnly({ status, body }: TransportAnswer): boolean {
  if (status !== 403 && status !== 503) return false;
  const { message } = (parseJson(body) ?? {}) as { message?: unknown };
  return typeof message === 'string' && words.some((each) => each.test(message));
}
