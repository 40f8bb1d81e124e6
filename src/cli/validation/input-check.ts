import type { PipelineValue } from '../../config/files/pipeline-file.ts';
import { isPlaceholder } from '../../config/placeholder-values.ts';
import { show } from '../../domain/text/show.ts';
import { didYouMean } from '../../domain/text/suggestion.ts';

/** Input that a template or workflow accepts. */
export interface AcceptedInput {
  readonly name: string;
  /** `any`: the CI converts other values to text. */
  readonly type: 'string' | 'number' | 'boolean' | 'array' | 'any';
  readonly isRequired: boolean;
  /** Pattern of a text that is not empty. */
  readonly pattern?: RegExp;
  /** Description of such a text. */
  readonly expected?: string;
}

type GivenInput = PipelineValue & { readonly name: string };

/**
 * Compares the inputs of one inclusion with the accepted ones. A value with an expression is known
 * only in the pipeline.
 */
export function judgeInputs(request: {
  readonly accepted: readonly AcceptedInput[];
  readonly given: readonly GivenInput[];
  /** Place of the inclusion, for a missing input. */
  readonly place: string;
}): string[] {
  const { accepted, given, place } = request;
  const names = accepted.map(({ name }) => name);
  const missing = accepted
    .filter(({ name, isRequired }) => isRequired && !given.some((one) => one.name === name))
    .map(({ name }) => `${place}: the input ${name} is missing`);
  const refused = given.flatMap((one) => {
    const input = accepted.find(({ name }) => name === one.name);
    if (input === undefined)
      return [`${one.place}: unknown input ${show(one.name)}${didYouMean(one.name, names)}`];
    const expected = misfit(input, one.value);
    return expected === undefined
      ? []
      : [`${one.place}: ${one.name}: expected ${expected}, found ${show(one.value)}`];
  });
  return [...refused, ...missing];
}

/** Returns whether the pipeline computes the value. */
export function hasExpression(value: unknown): boolean {
  return [value].flat(5).some((one) => typeof one === 'string' && /\$\[\[|\$\{\{/.test(one));
}

/** Returns the expected value, if the given one is refused. */
function misfit({ type, pattern, expected }: AcceptedInput, value: unknown): string | undefined {
  if (value === undefined || hasExpression(value) || isPlaceholder(value)) return undefined;
  if (type === 'array') return Array.isArray(value) ? undefined : 'a list';
  if (type !== 'any' && typeof value !== type) return type === 'string' ? 'a text' : `a ${type}`;
  if (pattern === undefined || value === '' || pattern.test(String(value))) return undefined;
  return expected ?? `a text that matches ${pattern.source}`;
}
