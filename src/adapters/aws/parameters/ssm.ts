import type { SSM } from '@aws-sdk/client-ssm';
import type { PortFailure } from '../../../ports/failure.ts';
import { refuseClearText } from '../address.ts';
import {
  type Asked,
  type AskOptions,
  clientOptions,
  createAsked,
  type UnexpectedFacts,
  unexpected,
} from '../ask.ts';

/** Systems Manager: Parameter Store, Run Command, the agents. */
export type Ssm = Asked<SSM>;
export type SsmOptions = AskOptions;

export function createSsm(options: SsmOptions): Ssm {
  return createAsked('SSM', options, async () => {
    const configuration = clientOptions(options);
    const sdk = await import('@aws-sdk/client-ssm');
    const client = new sdk.SSM(configuration);
    refuseClearText(client);
    return client;
  });
}

export function unexpectedAnswer(facts: UnexpectedFacts): PortFailure {
  return unexpected('SSM', facts);
}
