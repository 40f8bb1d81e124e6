import type { Account, CallerIdentity } from '../../../ports/cloud/account.ts';
import type { Sts } from '../services.ts';

/** Reads the identity once and caches it: it cannot change while the credentials stay the same. */
export function createAccount(sts: Sts, credentials?: { endsAt(): number | undefined }): Account {
  return {
    credentialsEnd: () => credentials?.endsAt(),
    async readIdentity(): Promise<CallerIdentity> {
      const what = 'GetCallerIdentity';
      const answer = await sts.send({
        what,
        effect: 'read',
        call: async (client, options) => ({
          identity: await client.getCallerIdentity({}, options),
          region: await client.config.region(),
        }),
      });
      if (answer.kind === 'refusal') throw new Error('unreachable: no refusal is an answer here');
      const { identity, region } = answer.value;
      const { Account: account, Arn: arn } = identity;
      if (account === undefined || !/^\d{12}$/.test(account) || arn === undefined) {
        throw sts.unexpected({ what, detail: 'the response has no Account', effect: 'read' });
      }
      return { account, arn, region };
    },
  };
}
