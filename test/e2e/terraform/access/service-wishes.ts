import type { IncomingMessage } from 'node:http';
import type { Wish } from '../../../docs/policy.ts';
import { callOf, serviceOf } from '../sites/aws-front.ts';
import { createTags, ec2Wishes, launchWishes, prefixed } from './ec2-wishes.ts';
import { specifiedTags, type TagMemory, tagsOf } from './tag-memory.ts';

/** Call of AWS with what it needs. */
export interface AwsCall {
  readonly service: string;
  readonly action: string;
  readonly form: URLSearchParams;
  /** Undefined if this suite does not know the action. */
  readonly wishes: readonly Wish[] | undefined;
}

export interface Memory {
  readonly tags: TagMemory;
  /** Forms of the calls that created launch templates and their versions. */
  readonly templates: URLSearchParams[];
  /** Permissions boundaries by the names of their roles. */
  readonly boundaries: Map<string, string>;
}

export function readCall(incoming: IncomingMessage, body: Buffer, memory: Memory): AwsCall {
  const service = serviceOf(incoming.headers) ?? '';
  const isS3 = service === 's3';
  const text = body.toString('utf8');
  const form = new URLSearchParams(isS3 || text.startsWith('{') ? '' : text);
  const action = isS3 ? (incoming.method ?? '') : (callOf(incoming.headers, body) ?? '');
  const wishesOf: Readonly<Record<string, () => Wish[] | undefined>> = {
    ec2: () => ec2Wishes(action, form, memory.tags),
    iam: () => iamWishes(action, form, memory),
    autoscaling: () => groupWishes(action, form, memory),
    logs: () => logWishes(action, text),
    s3: () => objectWishes(action, incoming.url ?? ''),
    // Every identity may read its own.
    sts: () => (action === 'GetCallerIdentity' ? [] : undefined),
  };
  return { service, action, form, wishes: wishesOf[service]?.() };
}

const roleActions =
  /^(?:(?:Create|Delete|Get)Role|(?:Put|Delete|Get)RolePolicy|List(?:AttachedRolePolicies|InstanceProfilesForRole|RolePolicies)|(?:Tag|Untag)Role)$/;
const profileActions =
  /^(?:(?:Create|Delete|Get|Tag|Untag)InstanceProfile|(?:AddRoleTo|RemoveRoleFrom)InstanceProfile)$/;

function iamWishes(
  action: string,
  form: URLSearchParams,
  { boundaries }: Memory,
): Wish[] | undefined {
  const iam = 'arn:aws:iam::123456789012';
  const role = form.get('RoleName') ?? '';
  const context = prefixed('aws:RequestTag', tagsOf(form, ''));
  if (roleActions.test(action)) {
    const given = form.get('PermissionsBoundary');
    const boundary = action === 'CreateRole' ? given : boundaries.get(role);
    const wish = (name: string): Wish => ({
      action: `iam:${name}`,
      resource: `${iam}:role/${role}`,
      context: {
        ...context,
        ...(boundary ? { 'iam:PermissionsBoundary': boundary } : {}),
      },
    });
    return action === 'CreateRole' ? [wish(action), wish('TagRole')] : [wish(action)];
  }
  if (!profileActions.test(action)) return undefined;
  const resource = `${iam}:instance-profile/${form.get('InstanceProfileName')}`;
  const wish = (name: string): Wish => ({ action: `iam:${name}`, resource, context });
  if (action === 'CreateInstanceProfile') return [wish(action), wish('TagInstanceProfile')];
  if (action !== 'AddRoleToInstanceProfile') return [wish(action)];
  return [
    wish(action),
    {
      action: 'iam:PassRole',
      resource: `${iam}:role/${role}`,
      context: { 'iam:PassedToService': 'ec2.amazonaws.com' },
    },
  ];
}

function groupWishes(action: string, form: URLSearchParams, memory: Memory): Wish[] | undefined {
  if (['DescribeAutoScalingGroups', 'DescribeScalingActivities'].includes(action))
    return [{ action: `autoscaling:${action}`, resource: '*' }];
  const name = form.get('AutoScalingGroupName') ?? form.get('Tags.member.1.ResourceId');
  const wish: Wish = {
    action: `autoscaling:${action}`,
    resource: `arn:aws:autoscaling:eu-west-1:123456789012:autoScalingGroup:0:autoScalingGroupName/${name}`,
    context: prefixed('aws:RequestTag', tagsOf(form, '')),
  };
  if (
    ['DeleteAutoScalingGroup', 'SuspendProcesses', 'CreateOrUpdateTags', 'DeleteTags'].includes(
      action,
    )
  )
    return [wish];
  if (!['CreateAutoScalingGroup', 'UpdateAutoScalingGroup'].includes(action)) return undefined;
  const id = form.get('LaunchTemplate.LaunchTemplateId');
  const template = memory.templates.at(-1);
  if (id === null || template === undefined) return [wish];
  const data = 'LaunchTemplateData.';
  return [
    wish,
    ...launchWishes(template, data, memory.tags),
    ...createTags('RunInstances', specifiedTags(template, data)),
    {
      action: 'ec2:RunInstances',
      resource: `arn:aws:ec2:eu-west-1:123456789012:launch-template/${id}`,
      context: prefixed('aws:ResourceTag', memory.tags.of(id)),
    },
  ];
}

/** The older actions check a stream's ARN, and the newer ones the group's. */
function logWishes(action: string, text: string): Wish[] | undefined {
  const logs = 'arn:aws:logs:eu-west-1:123456789012:log-group:';
  const request = JSON.parse(text) as { logGroupName?: string; resourceArn?: string };
  if (action === 'DescribeLogGroups') return [{ action: `logs:${action}`, resource: '*' }];
  if (['ListTagsForResource', 'TagResource', 'UntagResource'].includes(action))
    return [{ action: `logs:${action}`, resource: request.resourceArn ?? '' }];
  const group = `${logs}${request.logGroupName}`;
  const wish: Wish = { action: `logs:${action}`, resource: `${group}:log-stream:` };
  if (action === 'CreateLogGroup') return [wish, { action: 'logs:TagResource', resource: group }];
  return ['DeleteLogGroup', 'PutRetentionPolicy'].includes(action) ? [wish] : undefined;
}

function objectWishes(method: string, url: string): Wish[] | undefined {
  const [path = ''] = url.split('?');
  const [, bucket = '', ...rest] = path.split('/');
  const key = rest.join('/');
  const wish = (action: string): Wish => ({
    action: `s3:${action}`,
    resource: `arn:aws:s3:::${bucket}${key === '' ? '' : `/${key}`}`,
  });
  const list: Wish = { action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}` };
  if (key === '') return method === 'GET' ? [list] : undefined;
  // Without the permission to list, S3 refuses the read of a missing object.
  if (method === 'HEAD') return [wish('GetObject'), list];
  const action = { GET: 'GetObject', PUT: 'PutObject', DELETE: 'DeleteObject' }[method];
  return action === undefined ? undefined : [wish(action)];
}
