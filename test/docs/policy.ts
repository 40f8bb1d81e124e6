import { read } from '../structure/tree.ts';

export interface Policy {
  readonly Statement: readonly Statement[];
}

interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  /** Resources to which the statement does not apply. */
  readonly NotResource?: readonly string[];
  readonly Condition?: { readonly StringEquals: Readonly<Record<string, OneOrMore>> };
}

type OneOrMore = string | readonly string[];

export interface Wish {
  readonly action: string;
  readonly resource: string;
  /** Values by condition key. */
  readonly context?: Readonly<Record<string, string>>;
}

export function readPolicy(path: string): Policy {
  return toPolicy(JSON.parse(read(path)));
}

export function toPolicy(document: unknown): Policy {
  const { Statement } = document as {
    Statement: (Omit<Statement, 'Action' | 'Resource' | 'NotResource'> & {
      Action: OneOrMore;
      Resource?: OneOrMore;
      NotResource?: OneOrMore;
    })[];
  };
  return {
    Statement: Statement.map(({ NotResource, ...one }) => ({
      ...one,
      Action: [one.Action].flat(),
      Resource: [one.Resource ?? []].flat(),
      ...(NotResource === undefined ? {} : { NotResource: [NotResource].flat() }),
    })),
  };
}

/**
 * Decides like IAM. A wish is allowed if a statement matches it in every part and no other
 * statement denies it.
 */
export function allows(policy: Policy, wish: Wish): boolean {
  return speaks(policy, 'Allow', wish) && !speaks(policy, 'Deny', wish);
}

/** Lists the statements that allow a wish, without the effect of a denying statement. */
export function permittedBy(policy: Policy, wish: Wish): readonly Statement[] {
  return policy.Statement.filter(
    (statement) => statement.Effect === 'Allow' && covers(statement, wish),
  );
}

function speaks(policy: Policy, effect: Statement['Effect'], wish: Wish): boolean {
  return policy.Statement.some(
    (statement) => statement.Effect === effect && covers(statement, wish),
  );
}

function covers(
  { Action, Resource, NotResource, Condition }: Statement,
  { action, resource, context = {} }: Wish,
): boolean {
  return (
    Action.includes(action) &&
    (NotResource === undefined
      ? Resource.some((pattern) => matches(pattern, resource))
      : !NotResource.some((pattern) => matches(pattern, resource))) &&
    Object.entries(Condition?.StringEquals ?? {}).every(([key, values]) =>
      [values].flat().includes(context[key] ?? ''),
    )
  );
}

/** Matches a resource. A star also matches slashes. */
function matches(pattern: string, resource: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(resource);
}
