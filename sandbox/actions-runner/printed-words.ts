import type { Answer } from './session.ts';

/** What `config.sh` prints when it is refused (actions/runner v2.336.0): codes are words there. */
export function registrationRefused({ status, body }: Answer): string {
  const { message = '' } = (body ?? {}) as { message?: string };
  if (/^Could not find|^RUNNER UPDATE REQUIRED/.test(message)) return message;
  const code = codes[status] ?? String(status);
  return status === -1
    ? unreachable
    : `Http response code: ${code} from 'POST https://api.github.com/actions/runner-registration'`;
}

const codes: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
};

/** .NET's words of a network that does not answer. */
export const unreachable = 'Name or service not known (github.example.com:443)';

/** It starts with what it was once given, and GitHub knows it no more. */
export const sessionRefused =
  'Failed to create a session. The runner registration has been deleted from the server, please re-configure. Runner registrations are automatically deleted for runners that have not connected to the service recently.';

/** Its registration ends while it listens: from 2.336 on it forgets itself (actions/runner 67cbf96ce). */
export function registrationLost(version: string): { text: string; forgets: boolean } {
  const [, minor = '0'] = /^2\.(\d+)\./.exec(version) ?? [];
  return Number(minor) >= 336
    ? {
        text: 'The runner no longer exists on the server. Cleaning up local configuration.',
        forgets: true,
      }
    : { text: 'An error occurred: Runner not found', forgets: false };
}
