import type { Accepts } from './values.ts';

interface Facts {
  /** Sentences without markup; the first begins with a capital letter. */
  readonly description: string;
  /** Value in the form of the file; used if no layer sets one. */
  readonly default?: unknown;
  /** Description of a default that depends on another key. */
  readonly otherwise?: string;
  /** Refuses a configuration without the key. */
  readonly required?: true;
  /** Kind of runners that the key is limited to. */
  readonly only?: 'gitlab' | 'github';
  /**
   * Makes the key an input of the action, and of templates that name it: it differs by pipeline.
   */
  readonly pipeline?: true;
}

/** Key of a stack: its accepted values, and its text in the reference, JSON Schema and inputs. */
export interface Key<Value = unknown, Name extends string = string> extends Facts {
  /** Name in the file, in errors and after `--set`: `drain.timeout`. */
  readonly name: Name;
  readonly accepts: Accepts<Value>;
}

/** Declares a key. Without a default, its value may be undefined. */
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

/** Keys by the names of their settings; a section may contain sections. */
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

/** Settings of a section's keys. A key without a guaranteed value is optional. */
export type SettingsOf<Given> = Values<Omit<Given, Optional<Given>>> &
  Partial<Values<Pick<Given, Optional<Given>>>>;

/** @param read returns the value of a valid key by its name */
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

/** Lists keys in the order of their declaration. */
export function listKeys(section: KeySection): readonly Key[] {
  return Object.values(section).flatMap((one) => (isKey(one) ? [one] : listKeys(one)));
}

function isKey(one: Key | KeySection): one is Key {
  return 'accepts' in one;
}
