import { jsonSchemaPath, renderJsonSchema } from './json-schema.ts';
import { referencePath, renderReference } from './reference.ts';

/** A file that is made from the keys; `path` is from the repository's root. */
export interface Generator {
  readonly path: string;
  render(): string;
}

export const generators: readonly Generator[] = [
  { path: jsonSchemaPath, render: renderJsonSchema },
  { path: referencePath, render: renderReference },
];
