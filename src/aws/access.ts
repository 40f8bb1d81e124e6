import { isPortFailure } from '../ports/failure.ts';
import type { ProbeResult } from '../ports/registry.ts';
import type { Ssm } from './ssm.ts';

export interface AccessRequest {
  readonly ssm: Ssm;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of one stack, ending in a slash: `/gitlab/dedicated/runner/linux/`. */
  readonly parameterPath: string;
  /** Whether hosts are asked by Run Command. */
  readonly runCommand: boolean;
}

/** What the AWS credentials may do, for `prepare`. Changes nothing. */
export async function probeAccess(request: AccessRequest): Promise<readonly ProbeResult[]> {
  const { ssm, environment, parameterPath, runCommand } = request;
  const name = `${parameterPath}deployment_status`;
  const read = await probe(`ssm:GetParameter on ${parameterPath}*`, () =>
    ssm.ask({
      what: `GetParameter ${name}`,
      effect: 'read',
      call: (client, options) => client.getParameter({ Name: name }, options),
      answers: ['ParameterNotFound'],
    }),
  );
  const hosts = runCommand
    ? [
        await probe('ssm:DescribeInstanceInformation', () =>
          ssm.ask({
            what: 'DescribeInstanceInformation',
            effect: 'read',
            call: (client, options) =>
              client.describeInstanceInformation({ MaxResults: 5 }, options),
          }),
        ),
        notProbed('ssm:SendCommand', 'sending a command is an effect'),
      ]
    : [];
  const write = notProbed(`ssm:PutParameter on ${parameterPath}*`, 'a write is an effect');
  return [read, write, ...hosts, ...staticKeys(environment)];
}

/** Long-lived keys leak and never end; both CIs can have short-lived ones by OpenID Connect. */
export function hasStaticKeys(environment: AccessRequest['environment']): boolean {
  const { AWS_ACCESS_KEY_ID: key = '', AWS_SESSION_TOKEN: token = '' } = environment;
  return key.startsWith('AKIA') && token === '';
}

function staticKeys(environment: AccessRequest['environment']): ProbeResult[] {
  if (!hasStaticKeys(environment)) return [];
  return [
    notProbed(
      'short-lived AWS credentials',
      'AWS_ACCESS_KEY_ID is a long-lived key; a role assumed by OpenID Connect ends by itself',
    ),
  ];
}

async function probe(what: string, ask: () => Promise<unknown>): Promise<ProbeResult> {
  try {
    await ask();
    return { what, outcome: 'granted', detail: 'tried' };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const missing = ['denied', 'unauthenticated', 'refused'].includes(error.kind);
    return { what, outcome: missing ? 'missing' : 'not_probed', detail: error.detail };
  }
}

function notProbed(what: string, detail: string): ProbeResult {
  return { what, outcome: 'not_probed', detail };
}
