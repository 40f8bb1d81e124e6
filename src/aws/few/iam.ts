import type { SimulatePolicyResponse, SimulatePrincipalPolicyRequest } from '@aws-sdk/client-iam';
import { type Asked, type AskOptions, clientOptions, createAsked } from '../ask.ts';
import { type FewService, type Operation, openFewClient } from './client.ts';
import { flag, list, operation, structure, text } from './schema.ts';

export interface IamClient {
  readonly simulatePrincipalPolicy: Operation<
    SimulatePrincipalPolicyRequest,
    SimulatePolicyResponse
  >;
  destroy(): void;
}

export type Iam = Asked<IamClient>;

export function createIam(options: AskOptions): Iam {
  // Many runners reach AWS by private endpoints only, and IAM may not be among them.
  const asking = { ...options, retryBudgetMs: 2000, requestTimeoutMs: 5000 };
  return createAsked('IAM', asking, async () => {
    const client = await openFewClient(service, clientOptions(asking));
    return {
      simulatePrincipalPolicy: client.operation(simulatePrincipalPolicy),
      destroy: client.destroy,
    };
  });
}

/** One for a partition: https://docs.aws.amazon.com/general/latest/gr/iam-service.html */
function place(region: string, suffix: string): { host: string; signingRegion: string } {
  if (region.startsWith('cn-'))
    return { host: `iam.cn-north-1.${suffix}`, signingRegion: 'cn-north-1' };
  if (region.startsWith('us-gov-'))
    return { host: `iam.us-gov.${suffix}`, signingRegion: 'us-gov-west-1' };
  return { host: `iam.${suffix}`, signingRegion: 'us-east-1' };
}

const service: FewService = {
  id: 'IAM',
  signingName: 'iam',
  protocol: 'query',
  version: '2010-05-08',
  xmlNamespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
  target: 'AWSIdentityManagementV20100508',
  place,
};

// https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html
const simulatePrincipalPolicy = operation(
  'SimulatePrincipalPolicy',
  structure('SimulatePrincipalPolicyRequest', {
    PolicySourceArn: text,
    ActionNames: () => list(text),
    ResourceArns: () => list(text),
    ContextEntries: () =>
      list(
        structure('ContextEntry', {
          ContextKeyName: text,
          ContextKeyValues: () => list(text),
          ContextKeyType: text,
        }),
      ),
  }),
  structure('SimulatePolicyResponse', {
    IsTruncated: flag,
    EvaluationResults: () =>
      list(
        structure('EvaluationResult', {
          EvalActionName: text,
          EvalResourceName: text,
          EvalDecision: text,
        }),
      ),
  }),
);
