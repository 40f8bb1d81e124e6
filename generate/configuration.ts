import { compiledPath, renderCompiledKeys } from './compile.ts';
import { jsonSchemaPath, renderJsonSchema } from './json-schema.ts';
import { referencePath, renderReference } from './reference.ts';

/** A file that is made from the schema; `path` is from the repository's root. */
export interface Generator {
  readonly path: string;
  render(): string;
}

export const generators: readonly Generator[] = [
  { path: compiledPath, render: renderCompiledKeys },
  { path: jsonSchemaPath, render: renderJsonSchema },
  { path: referencePath, render: renderReference },
];
