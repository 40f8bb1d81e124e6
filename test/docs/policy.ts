import { read } from '../structure/tree.ts';

export interface Policy {
  readonly Statement: readonly Statement[];
}

interface Statement {
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: { readonly StringEquals: Readonly<Record<string, OneOrMore>> };
}

type OneOrMore = string | readonly string[];

export interface Wish {
  readonly action: string;
  readonly resource: string;
  /** Condition keys with their values. */
  readonly context?: Readonly<Record<string, string>>;
}

export function readPolicy(path: string): Policy {
  return toPolicy(JSON.parse(read(path)));
}

export function toPolicy(document: unknown): Policy {
  const { Statement } = document as {
    Statement: (Omit<Statement, 'Action' | 'Resource'> & {
      Action: OneOrMore;
      Resource: OneOrMore;
    })[];
  };
  return {
    Statement: Statement.map((one) => ({
      ...one,
      Action: [one.Action].flat(),
      Resource: [one.Resource].flat(),
    })),
  };
}

/** As IAM evaluates these policies: nothing is allowed but by a statement whose every part matches. */
export function allows(policy: Policy, { action, resource, context = {} }: Wish): boolean {
  return policy.Statement.some(
    ({ Action, Resource, Condition }) =>
      Action.includes(action) &&
      Resource.some((pattern) => matches(pattern, resource)) &&
      Object.entries(Condition?.StringEquals ?? {}).every(([key, values]) =>
        [values].flat().includes(context[key] ?? ''),
      ),
  );
}

/** A star reaches over slashes, too. */
function matches(pattern: string, resource: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(resource);
}
