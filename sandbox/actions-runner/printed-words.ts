import type { Answer } from './session.ts';

/**
 * Returns the output of a refused `config.sh` (actions/runner v2.336.0), which prints a code as a
 * word.
 */
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

/** .NET's message about an unreachable host. */
export const unreachable = 'Name or service not known (github.example.com:443)';

/** Output of a runner that starts with credentials that GitHub no longer knows. */
export const sessionRefused =
  'Failed to create a session. The runner registration has been deleted from the server, please re-configure. Runner registrations are automatically deleted for runners that have not connected to the service recently.';

/**
 * Returns the output of a listener whose registration is deleted. From 2.336 on, it removes its own
 * files (actions/runner 67cbf96ce).
 */
export function registrationLost(version: string): { text: string; forgets: boolean } {
  const [, minor = '0'] = /^2\.(\d+)\./.exec(version) ?? [];
  return Number(minor) >= 336
    ? {
        text: 'The runner no longer exists on the server. Cleaning up local configuration.',
        forgets: true,
      }
    : { text: 'An error occurred: Runner not found', forgets: false };
}
