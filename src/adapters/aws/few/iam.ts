import type {
  DeleteInstanceProfileRequest,
  DeleteRolePolicyRequest,
  DeleteRoleRequest,
  DetachRolePolicyRequest,
  GetInstanceProfileRequest,
  GetInstanceProfileResponse,
  GetRoleRequest,
  GetRoleResponse,
  ListAttachedRolePoliciesRequest,
  ListAttachedRolePoliciesResponse,
  ListInstanceProfilesForRoleRequest,
  ListInstanceProfilesForRoleResponse,
  ListRolePoliciesRequest,
  ListRolePoliciesResponse,
  RemoveRoleFromInstanceProfileRequest,
  SimulatePolicyResponse,
  SimulatePrincipalPolicyRequest,
} from '@aws-sdk/client-iam';
import { type Asked, type AskOptions, clientOptions, createAsked } from '../ask.ts';
import { type FewService, type Operation, openFewClient } from './client.ts';
import { flag, list, operation, type Shape, structure, text } from './schema.ts';

export interface IamClient {
  readonly simulatePrincipalPolicy: Operation<
    SimulatePrincipalPolicyRequest,
    SimulatePolicyResponse
  >;
  readonly getRole: Operation<GetRoleRequest, GetRoleResponse>;
  readonly getInstanceProfile: Operation<GetInstanceProfileRequest, GetInstanceProfileResponse>;
  readonly listInstanceProfilesForRole: Operation<
    ListInstanceProfilesForRoleRequest,
    ListInstanceProfilesForRoleResponse
  >;
  readonly listAttachedRolePolicies: Operation<
    ListAttachedRolePoliciesRequest,
    ListAttachedRolePoliciesResponse
  >;
  readonly listRolePolicies: Operation<ListRolePoliciesRequest, ListRolePoliciesResponse>;
  readonly detachRolePolicy: Operation<DetachRolePolicyRequest, object>;
  readonly deleteRolePolicy: Operation<DeleteRolePolicyRequest, object>;
  readonly deleteRole: Operation<DeleteRoleRequest, object>;
  readonly removeRoleFromInstanceProfile: Operation<RemoveRoleFromInstanceProfileRequest, object>;
  readonly deleteInstanceProfile: Operation<DeleteInstanceProfileRequest, object>;
  destroy(): void;
}

export type Iam = Asked<IamClient>;

export function createIam(options: AskOptions): Iam {
  return createAsked('IAM', options, async () => {
    const client = await openFewClient(service, clientOptions(options));
    return {
      simulatePrincipalPolicy: client.operation(simulatePrincipalPolicy),
      getRole: client.operation(getRole),
      getInstanceProfile: client.operation(getInstanceProfile),
      listInstanceProfilesForRole: client.operation(listInstanceProfilesForRole),
      listAttachedRolePolicies: client.operation(listAttachedRolePolicies),
      listRolePolicies: client.operation(listRolePolicies),
      detachRolePolicy: client.operation(change('DetachRolePolicy', 'RoleName', 'PolicyArn')),
      deleteRolePolicy: client.operation(change('DeleteRolePolicy', 'RoleName', 'PolicyName')),
      deleteRole: client.operation(change('DeleteRole', 'RoleName')),
      removeRoleFromInstanceProfile: client.operation(
        change('RemoveRoleFromInstanceProfile', 'InstanceProfileName', 'RoleName'),
      ),
      deleteInstanceProfile: client.operation(
        change('DeleteInstanceProfile', 'InstanceProfileName'),
      ),
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
export const simulatePrincipalPolicy = operation(
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
          EvalDecision: text,
        }),
      ),
  }),
);

// https://docs.aws.amazon.com/IAM/latest/APIReference/API_Operations.html
const tags = () => list(structure('Tag', { Key: text, Value: text }));
const role = structure('Role', { RoleName: text, Arn: text, Tags: tags });
const instanceProfile = structure('InstanceProfile', {
  InstanceProfileName: text,
  Arn: text,
  Roles: () => list(role),
  Tags: tags,
});

export const getRole = operation(
  'GetRole',
  structure('GetRoleRequest', { RoleName: text }),
  structure('GetRoleResponse', { Role: () => role }),
);

export const getInstanceProfile = operation(
  'GetInstanceProfile',
  structure('GetInstanceProfileRequest', { InstanceProfileName: text }),
  structure('GetInstanceProfileResponse', { InstanceProfile: () => instanceProfile }),
);

export const listInstanceProfilesForRole = ofRole('ListInstanceProfilesForRole', {
  InstanceProfiles: () => list(instanceProfile),
});

export const listAttachedRolePolicies = ofRole('ListAttachedRolePolicies', {
  AttachedPolicies: () => list(structure('AttachedPolicy', { PolicyArn: text })),
});

export const listRolePolicies = ofRole('ListRolePolicies', { PolicyNames: () => list(text) });

function ofRole(name: string, answer: Readonly<Record<string, () => Shape>>): readonly unknown[] {
  return operation(
    name,
    structure(`${name}Request`, { RoleName: text }),
    structure(`${name}Response`, { IsTruncated: flag, ...answer }),
  );
}

function change(name: string, ...words: readonly string[]): readonly unknown[] {
  return operation(
    name,
    structure(`${name}Request`, Object.fromEntries(words.map((word) => [word, text]))),
    structure(`${name}Response`, {}),
  );
}
