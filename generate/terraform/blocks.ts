/** A variable or an output as a module declares it. */
export interface Declared {
  readonly name: string;
  readonly description: string;
  /** Terraform's own words; undefined of an output. */
  readonly type: string | undefined;
  /** Undefined where a value has to be given. */
  readonly default: string | undefined;
}

/**
 * The blocks of one kind, in their order.
 * @throws Error for one without a description: a reader would be told nothing of it
 */
export function readBlocks(kind: 'variable' | 'output', source: string): readonly Declared[] {
  const blocks = source.matchAll(new RegExp(`^${kind} "(\\w+)" \\{\\n([\\s\\S]*?)^\\}`, 'gm'));
  return [...blocks].map(([, name = '', body = '']) => {
    const description = argument(body, 'description');
    if (description === undefined) throw new Error(`${kind} ${name} has no description.`);
    return {
      name,
      description: JSON.parse(description) as string,
      type: argument(body, 'type'),
      default: argument(body, 'default'),
    };
  });
}

/** The text of an argument of the block itself, over several lines where it opens a bracket. */
function argument(body: string, name: string): string | undefined {
  const found = new RegExp(
    `^ {2}${name} += ((?:.*[({[]\\n)(?:[\\s\\S]*?)^ {2}[)}\\]]+|.*)$`,
    'm',
  ).exec(body)?.[1];
  return found?.replace(/\n\s*/g, ' ').replace(/ {2,}/g, ' ');
}
