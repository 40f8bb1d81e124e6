import { accountId } from './account.ts';
import type { QueryOperation } from './ec2-operations.ts';

/** Whose credentials these are is all that STS is asked here. */
export const stsOperations: Readonly<Record<string, QueryOperation>> = {
  GetCallerIdentity: () => ({
    Arn: `arn:aws:iam::${accountId}:user/sandbox`,
    UserId: 'AIDASANDBOX',
    Account: accountId,
  }),
};
