import type { Accepts } from './values.ts';

interface Facts {
  /** Sentences without markup; the first begins with a capital letter. */
  readonly description: string;
  /** As the file writes it; stands in where no layer gives a value. */
  readonly default?: unknown;
  /** The default in words, where it follows from another key. */
  readonly otherwise?: string;
  /** Refused when no layer gives it. */
  readonly required?: true;
  /** Goes only with that kind of runners. */
  readonly only?: 'gitlab' | 'github';
  /** Also an input of the action, because it differs by pipeline; of the templates where these name it. */
  readonly pipeline?: true;
}

/** One key of a stack: what it accepts, and what the reference, the JSON Schema and the inputs say of it. */
export interface Key<Value = unknown, Name extends string = string> extends Facts {
  /** `drain.timeout`: how the file, errors and `--set` spell it. */
  readonly name: Name;
  readonly accepts: Accepts<Value>;
}

/** Undefined is among the values of a key that has no default. */
export function key<const Name extends string, Value>(
  name: Name,
  accepts: Accepts<Value>,
  facts: Facts & { readonly default: unknown },
): Key<Value, Name>;
export function key<const Name extends string, Value>(
  name: Name,
  accepts: Accepts<Value>,
  facts: Facts,
): Key<Value | undefined, Name>;
export function key<const Name extends string, Value>(
  name: Name,
  accepts: Accepts<Value>,
  facts: Facts,
): Key<Value | undefined, Name> {
  return { name, accepts, ...facts };
}

/** Keys by the names that their values have in the settings; a section may hold others. */
export interface KeySection {
  readonly [setting: string]: Key | KeySection;
}

export type ValueOf<Given> = Given extends Key<infer Value> ? Value : SettingsOf<Given>;

type Optional<Given> = {
  [Name in keyof Given]: undefined extends ValueOf<Given[Name]> ? Name : never;
}[keyof Given];

type Values<Given> = {
  readonly [Name in keyof Given]: Exclude<ValueOf<Given[Name]>, undefined>;
};

/** The settings that a section's keys give. One whose key may have no value is optional. */
export type SettingsOf<Given> = Values<Omit<Given, Optional<Given>>> &
  Partial<Values<Pick<Given, Optional<Given>>>>;

/** @param read gives the value of a key that no rule refuses, by its name */
export function readSettings<Given extends KeySection>(
  section: Given,
  read: (key: Key) => unknown,
): SettingsOf<Given> {
  const settings = Object.entries(section).flatMap(([setting, one]) => {
    const value = isKey(one) ? read(one) : readSettings(one, read);
    return value === undefined ? [] : [[setting, value]];
  });
  return Object.fromEntries(settings) as SettingsOf<Given>;
}

/** In the order of the declarations. */
export function listKeys(section: KeySection): readonly Key[] {
  return Object.values(section).flatMap((one) => (isKey(one) ? [one] : listKeys(one)));
}

function isKey(one: Key | KeySection): one is Key {
  return 'accepts' in one;
}
