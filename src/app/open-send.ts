import { readProxies, secretsOfProxies } from '../adapters/transport/proxies.ts';
import { createSend, type Send } from '../adapters/transport/send.ts';
import type { Redactor } from '../adapters/transport/words/redaction.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Around {
  readonly redactor: Redactor;
  readonly writeError: (text: string) => void;
}

/** Returns the sender for GitLab and GitHub: through a proxy, with a recording, or direct. */
export async function openSend(
  command: string,
  environment: Environment,
  { redactor, writeError }: Around,
): Promise<Send | undefined> {
  for (const secret of secretsOfProxies(environment)) redactor.add(secret);
  // One sender for the whole process, which keeps connections for later requests.
  const send = proxiedSend(environment) ?? createSend();
  const file = environment['HOSTED_RUNNER_RECORD'] ?? '';
  if (file === '') return send;
  const { openRecording } = await import('./open-recording.ts');
  return openRecording({ command, file, redact: redactor.redact, send, writeError });
}

/** The proxy library is loaded at the first request. */
function proxiedSend(environment: Environment): Send | undefined {
  const proxies = readProxies(environment);
  if (proxies === undefined) return undefined;
  let opened: Promise<Send> | undefined;
  const sendLazily: Send = async (sending) => {
    opened ??= import('../adapters/transport/proxy-tunnels.ts').then(({ createProxiedSend }) =>
      createProxiedSend(proxies),
    );
    return (await opened)(sending);
  };
  return Object.assign(sendLazily, { through: proxies.through });
}
