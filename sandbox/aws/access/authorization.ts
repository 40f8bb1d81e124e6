import type { Fleet } from '../../hosts/fleet.ts';
import { Form } from '../form.ts';
import type { Groups } from '../machines/auto-scaling-operations.ts';
import type { Leftovers } from '../machines/leftovers.ts';
import type { Body } from '../operation.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { isJson, type WireCall } from '../wire.ts';

/** Account of the sandbox, made up. */
export const accountId = '123456789012';
export const region = 'eu-west-1';

export function arnOf(resource: string): string {
  return `arn:aws:ssm:${region}:${accountId}:${resource}`;
}

/** Permission that a call needs. A call may need several, and all must be allowed. */
export interface AccessWish {
  readonly action: string;
  readonly resource: string;
  /** Values by condition key, as AWS fills them in. */
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Decides whether the credentials have a permission. By default, the sandbox allows everything.
 * `without` names conditions such as `aws:SourceIp` that only a real call has: the call is then
 * allowed, and a simulation is not.
 */
export type Admit = (wish: AccessWish) => boolean | { readonly without: readonly string[] };

export interface AuthorizedWorld {
  readonly fleet: Fleet;
  readonly leftovers: Leftovers;
  readonly groups: Groups;
  readonly parameters: Pick<Parameters, 'list'>;
}

const prefixes = {
  ssm: 'ssm',
  tagging: 'tag',
  cloudwatch: 'cloudwatch',
  ec2: 'ec2',
  autoscaling: 'autoscaling',
  iam: 'iam',
} as const;

/**
 * Lists the permissions of a call:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/
 */
export function wishesOf(world: AuthorizedWorld, call: WireCall): readonly AccessWish[] {
  const { service, operation } = call;
  // STS returns the caller's identity without a permission.
  if (service === 'sts') return [];
  const action = `${prefixes[service]}:${operation}`;
  const body = isJson(call) ? (JSON.parse(call.text || '{}') as Body) : {};
  const form = new Form(call.text);
  const wish = (resource: string, context: Record<string, string> = {}) => ({
    action,
    resource,
    context,
  });
  if (operation === 'SimulatePrincipalPolicy') return [wish(form.text('PolicySourceArn') ?? '*')];
  if (service === 'iam') return [wish(iamArn(form))];
  if (operation.endsWith('Parameter') || operation === 'GetParameterHistory') {
    const name = String(body['Name'] ?? '').replace(/:[^/]*$/, '');
    return [wish(arnOf(`parameter${name}`)), ...keyWishes(world, { operation, body, name })];
  }
  if (operation === 'GetParameters')
    return ((body['Names'] ?? []) as string[]).flatMap((name) => [
      wish(arnOf(`parameter${name}`)),
      ...keyWishes(world, { operation, body, name }),
    ]);
  if (operation === 'SendCommand')
    return sendCommandWishes(world, body).map((one) => ({ action, ...one }));
  if (operation.endsWith('Document')) return [wish(documentArn(String(body['Name'] ?? '')))];
  if (operation === 'TerminateInstances')
    return form
      .list('InstanceId')
      .map((id) => wish(ec2Arn('instance', id), tagContext(world.fleet.find(id)?.tags ?? {})));
  if (operation === 'DeleteSecurityGroup')
    return [leftoverWish(world, wish, 'security-group', form.text('GroupId'))];
  if (operation === 'DeleteNetworkInterface')
    return [leftoverWish(world, wish, 'network-interface', form.text('NetworkInterfaceId'))];
  if (operation === 'CompleteLifecycleAction') {
    const name = form.text('AutoScalingGroupName') ?? '';
    const tags = world.groups.list().find((group) => group.name === name)?.tags ?? {};
    const arn = `arn:aws:autoscaling:${region}:${accountId}:autoScalingGroup:0-0:autoScalingGroupName/${name}`;
    return [wish(arn, tagContext(tags))];
  }
  return [wish('*')];
}

/** Lists the permissions on a customer-managed key, for reads and writes of a secret under it. */
function keyWishes(
  { parameters }: AuthorizedWorld,
  { operation, body, name }: { operation: string; body: Body; name: string },
): AccessWish[] {
  const isWrite = operation === 'PutParameter';
  const isRead = body['WithDecryption'] === true;
  const stored = () => parameters.list().find(({ parameter }) => parameter.name === name);
  const keyId = isWrite ? body['KeyId'] : isRead ? stored()?.parameter.keyId : undefined;
  if (typeof keyId !== 'string') return [];
  const resource = keyId.startsWith('arn:')
    ? keyId
    : `arn:aws:kms:${region}:${accountId}:key/${keyId.replace(/^.*\//, '')}`;
  const context = {
    'kms:ViaService': `ssm.${region}.amazonaws.com`,
    'kms:EncryptionContext:PARAMETER_ARN': arnOf(`parameter${name}`),
  };
  return [{ action: isWrite ? 'kms:Encrypt' : 'kms:Decrypt', resource, context }];
}

function sendCommandWishes({ fleet }: AuthorizedWorld, body: Body): Omit<AccessWish, 'action'>[] {
  const ids = (body['InstanceIds'] ?? []) as string[];
  const document = String(body['DocumentName'] ?? '');
  return [
    { resource: documentArn(document), context: {} },
    ...ids.map((id) => ({
      resource: ec2Arn('instance', id),
      context: tagContext(fleet.find(id)?.tags ?? {}, 'ssm:resourceTag'),
    })),
  ];
}

/** Returns a document's ARN. Only the ARN of the account's own document contains the account. */
function documentArn(name: string): string {
  return name.startsWith('AWS-')
    ? `arn:aws:ssm:${region}::document/${name}`
    : arnOf(`document/${name}`);
}

function leftoverWish(
  { leftovers }: AuthorizedWorld,
  wish: (resource: string, context: Record<string, string>) => AccessWish,
  type: string,
  id = '',
): AccessWish {
  const tags = leftovers.list().find((one) => one.id === id)?.tags ?? {};
  return wish(ec2Arn(type, id), tagContext(tags));
}

function tagContext(
  tags: Readonly<Record<string, string>>,
  prefix = 'aws:ResourceTag',
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [`${prefix}/${key}`, value]),
  );
}

/** Returns the ARN that an IAM call concerns: the profile, if the call names a role too. */
function iamArn(form: Form): string {
  const profile = form.text('InstanceProfileName');
  const kind = profile === undefined ? 'role' : 'instance-profile';
  return `arn:aws:iam::${accountId}:${kind}/${profile ?? form.text('RoleName')}`;
}

function ec2Arn(type: string, id: string): string {
  return `arn:aws:ec2:${region}:${accountId}:${type}/${id}`;
}
