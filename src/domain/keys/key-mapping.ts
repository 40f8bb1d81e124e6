import { show } from '../text/show.ts';
import { didYouMean } from '../text/suggestion.ts';
import { type Accepts, accepted, type Checked, expected, refusedValue } from './values.ts';

/** Key of a mapping in a list; required if it has no default. */
interface Field {
  readonly accepts: Accepts<unknown>;
  readonly default?: unknown;
}

type Fields = Readonly<Record<string, Field>>;

type ValueOf<Given extends Fields> = {
  readonly [Name in keyof Given]: Given[Name]['accepts'] extends Accepts<infer Value>
    ? Value
    : never;
};

/** Accepts one list item with its own keys. In a variable or a flag, the list is JSON. */
export function mapping<const Given extends Fields>(
  what: string,
  fields: Given,
): Accepts<ValueOf<Given>> {
  const names = Object.keys(fields);
  return {
    type: 'words',
    typeText: 'keys',
    jsonSchema: {
      type: 'object',
      additionalProperties: false,
      required: names.filter((name) => fields[name]?.default === undefined),
      properties: Object.fromEntries(
        Object.entries(fields).map(([name, { accepts, default: value }]) => [
          name,
          { ...(value === undefined ? {} : { default: value }), ...accepts.jsonSchema },
        ]),
      ),
    },
    read(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return expected(what, value);
      const given = new Map(Object.entries(value));
      const unknown = [...given.keys()].find((name) => !names.includes(name));
      if (unknown !== undefined)
        return refusedValue(
          `expected ${what}, found its key ${show(unknown)}${didYouMean(unknown, names)}`,
        );
      const read = names.map(
        (name) => [name, readField(given.get(name), name, fields[name])] as const,
      );
      const issues = read.flatMap(([, one]) => (one.kind === 'refused' ? one.issues : []));
      if (issues.length > 0) return { kind: 'refused', issues };
      const values = read.flatMap(([name, one]) =>
        one.kind === 'value' ? [[name, one.value]] : [],
      );
      return accepted(Object.fromEntries(values) as ValueOf<Given>);
    },
  };
}

function readField(given: unknown, name: string, field: Field | undefined): Checked {
  const value = given === undefined ? field?.default : given;
  if (field === undefined || value === undefined)
    return refusedValue(`expected a key ${name}, found none`);
  const checked = field.accepts.read(value);
  if (checked.kind === 'value') return checked;
  return refusedValue(checked.issues.map(({ message }) => `${message}, as its ${name}`).join('; '));
}

/** Replaces the type text, to describe a list with the keys of its items. */
export function describedAs<Value>(accepts: Accepts<Value>, words: string): Accepts<Value> {
  return { ...accepts, typeText: words };
}
