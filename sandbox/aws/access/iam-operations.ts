import type { Form } from '../form.ts';
import type { QueryOperation } from '../machines/ec2-operations.ts';
import type { Leftover, Leftovers } from '../machines/leftovers.ts';
import { AwsRefusal } from '../refusal.ts';
import type { Caller, RoleRequest, Session, Sessions } from '../sessions.ts';
import type { XmlValue } from '../xml.ts';
import type { Admit } from './authorization.ts';
import { accountId } from './authorization.ts';

/**
 * Creates the IAM operations in use: simulation with the same rules as real calls, and leftover
 * roles.
 */
export function iamOperations(
  admit: Admit,
  leftovers: Leftovers,
): Readonly<Record<string, QueryOperation>> {
  const roleOf = (form: Form) => find(leftovers, 'role', form.text('RoleName'));
  const profileOf = (form: Form) =>
    find(leftovers, 'instance-profile', form.text('InstanceProfileName'));
  return {
    SimulatePrincipalPolicy: (form) => simulate(admit, form),
    GetRole: (form) => ({ Role: { ...describe(roleOf(form), 'Role') } }),
    GetInstanceProfile: (form) => {
      const profile = profileOf(form);
      const roles = (profile.holds ?? []).map((RoleName) => ({ RoleName }));
      return { InstanceProfile: { ...describe(profile, 'InstanceProfile'), Roles: roles } };
    },
    ListInstanceProfilesForRole: (form) => ({
      IsTruncated: false,
      InstanceProfiles: holdersOf(leftovers, nameOf(roleOf(form))).map((one) =>
        describe(one, 'InstanceProfile'),
      ),
    }),
    ListAttachedRolePolicies: (form) => ({
      IsTruncated: false,
      AttachedPolicies: (roleOf(form).holds ?? [])
        .filter(isManaged)
        .map((PolicyArn) => ({ PolicyArn, PolicyName: PolicyArn.split('/').at(-1) ?? '' })),
    }),
    ListRolePolicies: (form) => ({
      IsTruncated: false,
      PolicyNames: (roleOf(form).holds ?? []).filter((one) => !isManaged(one)),
    }),
    DetachRolePolicy: (form) => release(leftovers, roleOf(form), form.text('PolicyArn')),
    DeleteRolePolicy: (form) => release(leftovers, roleOf(form), form.text('PolicyName')),
    RemoveRoleFromInstanceProfile: (form) =>
      release(leftovers, profileOf(form), form.text('RoleName')),
    DeleteRole: (form) => {
      const role = roleOf(form);
      return remove(leftovers, role, holdersOf(leftovers, nameOf(role)).length > 0);
    },
    DeleteInstanceProfile: (form) => remove(leftovers, profileOf(form), false),
  };
}

function find(leftovers: Leftovers, kind: string, name = ''): Leftover {
  const id = `arn:aws:iam::${accountId}:${kind}/${name}`;
  const found = leftovers.list().find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new AwsRefusal('NoSuchEntity', `The ${kind} with name ${name} cannot be found.`, 404);
}

function nameOf({ id }: Leftover): string {
  return id.split('/').at(-1) ?? '';
}

function isManaged(policy: string): boolean {
  return policy.startsWith('arn:');
}

function holdersOf(leftovers: Leftovers, role: string): readonly Leftover[] {
  return leftovers
    .list()
    .filter(({ type, holds = [] }) => type === 'instance-profile' && holds.includes(role));
}

function describe(one: Leftover, kind: string): Readonly<Record<string, XmlValue>> {
  const tags = Object.entries(one.tags).map(([Key, Value]) => ({ Key, Value }));
  return { [`${kind}Name`]: nameOf(one), Arn: one.id, Tags: tags };
}

function release(leftovers: Leftovers, { id, holds = [] }: Leftover, held = ''): XmlValue {
  if (!holds.includes(held))
    throw new AwsRefusal('NoSuchEntity', `${held} was not found at ${id}.`, 404);
  leftovers.release(id, held);
  return {};
}

function remove(leftovers: Leftovers, { id, holds = [] }: Leftover, isHeld: boolean): XmlValue {
  if (isHeld || holds.length > 0)
    throw new AwsRefusal('DeleteConflict', 'Cannot delete entity, must detach all first.', 409);
  leftovers.remove(id);
  return {};
}

function simulate(admit: Admit, form: Form): XmlValue {
  const context = contextOf(form);
  const resources = form.list('ResourceArns');
  return {
    IsTruncated: false,
    EvaluationResults: form.list('ActionNames').map((action) => {
      const words = (resources.length === 0 ? ['*'] : resources).map((resource) =>
        admit({ action, resource, context }),
      );
      const without = words.flatMap((word) => (typeof word === 'boolean' ? [] : word.without));
      return {
        EvalActionName: action,
        EvalResourceName: resources[0] ?? '*',
        EvalDecision: words.every((word) => word === true) ? 'allowed' : 'implicitDeny',
        MissingContextValues: without,
      };
    }),
  };
}

function contextOf(form: Form): Record<string, string> {
  const context: Record<string, string> = {};
  for (let at = 1; ; at += 1) {
    const path = `ContextEntries.member.${at}`;
    const name = form.text(`${path}.ContextKeyName`);
    if (name === undefined) return context;
    context[name] = form.list(`${path}.ContextKeyValues`)[0] ?? '';
  }
}

/**
 * Creates the STS operations: the caller's identity, and credentials for an identity token of a CI.
 */
export function stsOperations(sessions: Sessions): Readonly<Record<string, QueryOperation>> {
  return {
    GetCallerIdentity: (_form, caller) => ({
      Arn: caller.arn,
      UserId: caller.userId,
      Account: accountOf(caller),
    }),
    AssumeRole: (form) => answerOf(sessions.assume(roleIn(form))),
    AssumeRoleWithWebIdentity: (form) =>
      answerOf(
        sessions.assumeByToken({
          ...roleIn(form),
          webIdentityToken: form.text('WebIdentityToken') ?? '',
        }),
      ),
  };
}

function roleIn(form: Form): RoleRequest {
  return {
    roleArn: form.text('RoleArn') ?? '',
    sessionName: form.text('RoleSessionName') ?? '',
    durationSeconds: Number(form.text('DurationSeconds') ?? 3600),
  };
}

function answerOf(session: Session): XmlValue {
  return {
    Credentials: {
      AccessKeyId: session.accessKeyId,
      SecretAccessKey: session.secretAccessKey,
      SessionToken: session.sessionToken,
      Expiration: new Date(session.expiresAtMs).toISOString(),
    },
    AssumedRoleUser: { Arn: session.caller.arn, AssumedRoleId: session.caller.userId },
  };
}

function accountOf({ arn }: Caller): string {
  return arn.split(':')[4] ?? '';
}
