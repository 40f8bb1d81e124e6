import type { ExtentName } from './terraform-extents.ts';

interface TerraformPermission {
  readonly on: ExtentName;
  /** Part of a deployment that first needs it. */
  readonly from: 'state' | 'destroy' | 'apply';
  readonly why: string;
  readonly actions: readonly string[];
}

/** Actions of AWS that Terraform calls for the reference module. */
export const terraformPermissions: readonly TerraformPermission[] = [
  {
    on: 'state_objects',
    from: 'state',
    why: 'read the state',
    actions: ['s3:GetObject'],
  },
  {
    on: 'state_objects',
    from: 'destroy',
    why: 'write the state',
    actions: ['s3:PutObject'],
  },
  {
    on: 'state_locks',
    from: 'state',
    why: 'lock the state',
    actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
  },
  {
    on: 'state_bucket',
    from: 'state',
    why: 'detect a missing state, and list workspaces',
    actions: ['s3:ListBucket'],
  },
  {
    on: 'anything',
    from: 'destroy',
    why: 'read resources',
    actions: [
      'ec2:DescribeImages',
      'ec2:DescribeInstanceCreditSpecifications',
      'ec2:DescribeInstances',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeLaunchTemplates',
      'ec2:DescribeLaunchTemplateVersions',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSecurityGroupRules',
      'ec2:DescribeSecurityGroups',
      'ec2:DescribeTags',
      'ec2:DescribeVolumes',
      'ec2:DescribeVpcs',
      'autoscaling:DescribeAutoScalingGroups',
      'autoscaling:DescribeScalingActivities',
      'logs:DescribeLogGroups',
    ],
  },
  {
    on: 'tagged_resources',
    from: 'destroy',
    why: 'remove instances, security groups and launch templates',
    actions: [
      'ec2:DescribeInstanceAttribute',
      'ec2:ModifyInstanceAttribute',
      'ec2:TerminateInstances',
      'ec2:RevokeSecurityGroupEgress',
      'ec2:RevokeSecurityGroupIngress',
      'ec2:DeleteSecurityGroup',
      'ec2:DeleteLaunchTemplate',
    ],
  },
  {
    on: 'tagged_resources',
    from: 'apply',
    why: 'use and change resources',
    actions: [
      'ec2:RunInstances',
      'ec2:AuthorizeSecurityGroupEgress',
      'ec2:AuthorizeSecurityGroupIngress',
      'ec2:ModifySecurityGroupRules',
      'ec2:CreateLaunchTemplateVersion',
      'ec2:CreateTags',
      'ec2:DeleteTags',
    ],
  },
  {
    on: 'tagged_instances',
    from: 'apply',
    why: 'start instances with both tags of the shard',
    actions: ['ec2:RunInstances'],
  },
  {
    on: 'parts_of_instances',
    from: 'apply',
    why: 'start instances: AWS limits them by the tags of the instance',
    actions: ['ec2:RunInstances'],
  },
  {
    on: 'networks',
    from: 'apply',
    why: 'create security groups',
    actions: ['ec2:CreateSecurityGroup'],
  },
  {
    on: 'new_resources',
    from: 'apply',
    why: 'create security groups and launch templates with both tags of the shard',
    actions: ['ec2:CreateSecurityGroup', 'ec2:CreateLaunchTemplate'],
  },
  {
    on: 'new_rules',
    from: 'apply',
    why: 'create rules with both tags of the shard',
    actions: ['ec2:AuthorizeSecurityGroupEgress', 'ec2:AuthorizeSecurityGroupIngress'],
  },
  {
    on: 'created_resources',
    from: 'apply',
    why: 'set tags during the creation of a resource',
    actions: ['ec2:CreateTags'],
  },
  {
    on: 'bounded_roles',
    from: 'apply',
    why: "create the hosts' role, only with the permissions boundary of the stack",
    actions: ['iam:CreateRole', 'iam:PutRolePolicy'],
  },
  {
    on: 'passed_roles',
    from: 'apply',
    why: "give the hosts' role to EC2 only",
    actions: ['iam:PassRole'],
  },
  {
    on: 'own_roles',
    from: 'destroy',
    why: "read and remove the hosts' role",
    actions: [
      'iam:GetRole',
      'iam:GetRolePolicy',
      'iam:ListAttachedRolePolicies',
      'iam:ListInstanceProfilesForRole',
      'iam:ListRolePolicies',
      'iam:DeleteRolePolicy',
      'iam:DeleteRole',
    ],
  },
  {
    on: 'own_roles',
    from: 'apply',
    why: "tag the hosts' role",
    actions: ['iam:TagRole', 'iam:UntagRole'],
  },
  {
    on: 'own_profiles',
    from: 'destroy',
    why: "read and remove the hosts' instance profile",
    actions: [
      'iam:GetInstanceProfile',
      'iam:RemoveRoleFromInstanceProfile',
      'iam:DeleteInstanceProfile',
    ],
  },
  {
    on: 'own_profiles',
    from: 'apply',
    why: "create the hosts' instance profile",
    actions: [
      'iam:CreateInstanceProfile',
      'iam:AddRoleToInstanceProfile',
      'iam:TagInstanceProfile',
      'iam:UntagInstanceProfile',
    ],
  },
  {
    on: 'own_groups',
    from: 'destroy',
    why: 'remove Auto Scaling groups; with `autoscaler`',
    actions: ['autoscaling:DeleteAutoScalingGroup'],
  },
  {
    on: 'own_groups',
    from: 'apply',
    why: 'create and change Auto Scaling groups; with `autoscaler`',
    actions: [
      'autoscaling:CreateAutoScalingGroup',
      'autoscaling:CreateOrUpdateTags',
      'autoscaling:DeleteTags',
      'autoscaling:SuspendProcesses',
      'autoscaling:UpdateAutoScalingGroup',
    ],
  },
  {
    on: 'own_logs',
    from: 'destroy',
    why: 'read and remove the log group',
    actions: ['logs:ListTagsForResource', 'logs:DeleteLogGroup'],
  },
  {
    on: 'own_logs',
    from: 'apply',
    why: 'create the log group',
    actions: [
      'logs:CreateLogGroup',
      'logs:PutRetentionPolicy',
      'logs:TagResource',
      'logs:UntagResource',
    ],
  },
];
