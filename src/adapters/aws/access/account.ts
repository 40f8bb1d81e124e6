import type { STSClient } from '@aws-sdk/client-sts';
import type { Account, CallerIdentity } from '../../../ports/account.ts';
import { refuseClearText } from '../address.ts';
import { type Asked, type AskOptions, clientOptions, createAsked } from '../ask.ts';

export interface Sts {
  getCallerIdentity: (options: { readonly abortSignal?: AbortSignal }) => Promise<{
    readonly Account?: string | undefined;
    readonly Arn?: string | undefined;
  }>;
  region(): Promise<string>;
  destroy(): void;
}

export function createSts(options: AskOptions): Asked<Sts> {
  return createAsked('STS', options, async () => {
    const configuration = clientOptions(options);
    const sdk = await import('@aws-sdk/client-sts');
    const client: STSClient = new sdk.STSClient(configuration);
    refuseClearText(client);
    return {
      getCallerIdentity: (callOptions) =>
        client.send(new sdk.GetCallerIdentityCommand({}), callOptions),
      region: () => client.config.region(),
      destroy: () => client.destroy(),
    };
  });
}

/** Asked once and kept: it cannot change while the credentials do not. */
export function createAccount(sts: Asked<Sts>): Account {
  return {
    async readIdentity(): Promise<CallerIdentity> {
      const what = 'GetCallerIdentity';
      const answer = await sts.ask({
        what,
        effect: 'read',
        call: async (client, options) => ({
          identity: await client.getCallerIdentity(options),
          region: await client.region(),
        }),
      });
      if (answer.kind === 'refusal') throw new Error('unreachable: no refusal is an answer here');
      const { identity, region } = answer.value;
      const { Account: account, Arn: arn } = identity;
      if (account === undefined || !/^\d{12}$/.test(account) || arn === undefined) {
        throw sts.unexpected({ what, detail: 'the answer has no Account', effect: 'read' });
      }
      return { account, arn, region };
    },
  };
}
