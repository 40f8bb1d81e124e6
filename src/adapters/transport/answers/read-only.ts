import { parseJson } from '../../../domain/text/json.ts';
import type { TransportAnswer } from '../request.ts';

/**
 * GitLab's messages in maintenance mode, and from 19.2 on for a read-only organization. GitLab then
 * refuses every write, including a runner's job request. Only the message distinguishes this 403
 * from a missing permission: https://docs.gitlab.com/administration/maintenance_mode/
 */
const words = [
  /^You cannot perform write operations on a read-only instance$/,
  /^(?:403 Forbidden - )?This organization is currently in read-only mode\b/,
];

/** Detects a write that was refused because the server is read-only. It changed nothing. */
export function isReadOnly({ status, body }: TransportAnswer): boolean {
  if (status !== 403 && status !== 503) return false;
  const { message } = (parseJson(body) ?? {}) as { message?: unknown };
  return typeof message === 'string' && words.some((each) => each.test(message));
}
