import type { z } from 'zod';

/** Where a key can be given. Every key has `file`, `env` and `flag`. */
export type Face = 'file' | 'env' | 'flag' | 'action' | 'template';

/** What the reference, the JSON Schema and the inputs say of a key besides its type. */
export interface KeyFacts {
  /** Sentences without markup; the first begins with a capital letter. */
  readonly description: string;
  /** `pipeline`: also an input of the action and the templates, because it differs by pipeline. */
  readonly faces: readonly Face[];
  readonly unit?: 'duration' | 'url' | 'words' | 'argv';
  /** The default in words, where it follows from another key. */
  readonly otherwise?: string;
  /** Refused when no layer gives it. */
  readonly required?: boolean;
  /** Goes only with that kind of runners. */
  readonly only?: 'gitlab' | 'github';
}

const everywhere: readonly Face[] = ['file', 'env', 'flag'];

/** Attaches what is known of a key to its schema; call it last, or a wrapper hides it. */
export function key<Schema extends z.ZodType>(
  schema: Schema,
  facts: Omit<KeyFacts, 'faces'> & { readonly pipeline?: boolean },
): Schema {
  const { pipeline, ...rest } = facts;
  const faces = pipeline === true ? [...everywhere, 'action', 'template'] : everywhere;
  return schema.meta({ ...rest, faces }) as Schema;
}
