import { createAccount } from '../../../src/adapters/aws/access/aws-account.ts';
import type { Permission } from '../../../src/adapters/aws/access/permissions.ts';
import type { StackPlace } from '../../../src/adapters/aws/access/scopes.ts';
import { simulate } from '../../../src/adapters/aws/access/simulation.ts';
import { assume } from '../../../src/adapters/aws/aws-credentials.ts';
import { createClient } from '../stub-client.ts';
import { at, type Reading } from './reading-answers.ts';

const role = { arn: 'arn:aws:iam::1:role/deploy', sessionName: 'deploy' };
const wanted = { action: 'ssm:PutParameter', on: 'status', roles: [], why: '' } as Permission;
const place = { partition: 'aws', account: '1', region: 'r', parameterPrefix: '/p/' };

/** Responses of STS, and of IAM about hosted-runner's role. */
export const roleReadings: readonly Reading[] = [
  {
    operation: 'aws-account.ts getCallerIdentity',
    answer: { Account: '123456789012', Arn: 'arn:aws:iam::123456789012:user/ci', UserId: 'AIDA' },
    read: (answer) => createAccount(createClient({ getCallerIdentity: answer })).readIdentity(),
    format: ({ account }: { account: string }) => account,
    is: '123456789012',
    otherwise: {
      'Account missing': 'unread',
      'Account another word': 'unread',
      'Arn missing': 'unread',
    },
  },
  {
    operation: 'aws-credentials.ts assumeRoleWithWebIdentity',
    answer: {
      Credentials: {
        AccessKeyId: 'ASIAMADEUP',
        SecretAccessKey: 'made-up-secret',
        SessionToken: 'made-up-session',
        Expiration: at,
      },
    },
    read: (answer) =>
      assume(createClient({ assumeRoleWithWebIdentity: answer }), role, 'made-up-token'),
    format: ({ expiresAtMs }: { expiresAtMs: number }) => String(expiresAtMs - at.getTime()),
    is: '0',
    otherwise: {
      'Credentials missing': 'unread',
      'Credentials.AccessKeyId missing': 'unread',
      'Credentials.SecretAccessKey missing': 'unread',
      'Credentials.SessionToken missing': 'unread',
      'Credentials.Expiration missing': 'unread',
    },
  },
  {
    operation: 'simulation.ts simulatePrincipalPolicy',
    answer: {
      IsTruncated: false,
      EvaluationResults: [
        {
          EvalActionName: 'ssm:PutParameter',
          EvalResourceName: 'arn:aws:ssm:r:1:parameter/p/deployment_status',
          EvalDecision: 'allowed',
          MissingContextValues: [],
          ResourceSpecificResults: [
            {
              EvalResourceName: 'arn:aws:ssm:r:1:parameter/p/deployment_status',
              EvalResourceDecision: 'allowed',
              MissingContextValues: [],
            },
          ],
        },
      ],
    },
    read: (answer) =>
      simulate(
        createClient({ simulatePrincipalPolicy: answer }),
        {
          principal: 'arn:aws:iam::123456789012:role/ci',
          place: { ...place, shards: ['pink', 'purple'] } as unknown as StackPlace,
        },
        [wanted],
      ),
    format: ({ missing }: { missing: { decision: string }[] }) =>
      missing.map(({ decision }) => decision).join() || 'allowed',
    is: 'allowed',
    otherwise: {
      'EvaluationResults missing': 'unread',
      'EvaluationResults.0.EvalActionName missing': 'unread',
      'EvaluationResults.0.EvalActionName another word': 'unread',
      'EvaluationResults.0.EvalDecision missing': 'unread',
      'EvaluationResults.0.EvalDecision another word': 'Surprise',
    },
  },
];
