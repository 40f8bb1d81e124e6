import { afterEach } from '@jest/globals';
import {
  createRunnerHost,
  type RunnerHostOptions,
} from '../../src/adapters/aws/hosts/aws-runner-host.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';
import { type FakeSsm, type Reply, startFakeSsm } from './fake-ssm.ts';
import { connect, dockerHost } from './sandbox-aws.ts';

export const hostId = 'i-0123456789abcdef0';

/** The response to SendCommand. */
export const sent: Reply = {
  body: { Command: { CommandId: '11111111-2222-4333-8444-555555555555' } },
};

export function invocation(Status: string, fields: Readonly<Record<string, unknown>> = {}): Reply {
  const output = { StandardOutputContent: '', StandardErrorContent: '' };
  return { body: { Status, StatusDetails: Status, ...output, ...fields } };
}

export const waiting = invocation('InProgress', { ResponseCode: -1 });

export function ended(output: string, ResponseCode = 0): Reply {
  const status = ResponseCode === 0 ? 'Success' : 'Failed';
  return invocation(status, { ResponseCode, StandardOutputContent: output });
}

let server: FakeSsm | undefined;
afterEach(() => server?.close());

type More = (clock: RunnerHostOptions['clock']) => Partial<RunnerHostOptions>;

/** Opens a host whose Run Command gets these replies. */
export async function hostOver(replies: readonly Reply[], more: More = () => ({})) {
  server = await startFakeSsm(...replies);
  const clock = createVirtualClock();
  const random = { id: () => 'abcdefgh12345678', fraction: () => 0.5 };
  const ssm = connect(server.url, { clock, random });
  const redact = (text: string) => text.replaceAll('glrt-secret', '[redacted]');
  const options = { ssm, settings: dockerHost, clock, random, redact, ...more(clock) };
  return { host: createRunnerHost(options), server, clock };
}
