/**
 * Shapes as the SDK's protocols read them: numbers for simple types, arrays for the rest.
 * `@smithy/types` calls them StaticSchema; here is no more of them than is used.
 */
export type Shape = number | readonly unknown[];

export const shapeNamespace = 'hosted-runner';

export const text = 0;
export const integer = 1;
export const flag = 2;
export const moment = 4;

type Member = Shape | (() => Shape) | readonly [Shape | (() => Shape), Traits];

interface Traits {
  readonly xmlName?: string;
  readonly ec2QueryName?: string;
}

export function structure(name: string, members: Readonly<Record<string, Member>>): Shape {
  return [3, shapeNamespace, name, 0, Object.keys(members), Object.values(members)];
}

/** `element`: what each entry is called in a query or an answer. */
export function list(entry: Shape, element?: string): Shape {
  const of = typeof entry === 'number' ? entry : () => entry;
  return [1, shapeNamespace, 'List', 0, element === undefined ? of : [of, { xmlName: element }]];
}

/** A member whose name on the wire is another one: EC2 capitalizes it in requests. */
export function named(shape: Shape, wireName: string): Member {
  const of = typeof shape === 'number' ? shape : () => shape;
  const ec2QueryName = wireName.charAt(0).toUpperCase() + wireName.slice(1);
  return [of, { xmlName: wireName, ec2QueryName }];
}

export function operation(name: string, input: Shape, output: Shape): readonly unknown[] {
  return [9, shapeNamespace, name, 0, () => input, () => output];
}
