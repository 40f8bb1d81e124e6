import { jsonSchemaPath, renderJsonSchema } from './json-schema.ts';
import { referencePath, renderReference } from './reference.ts';

/** File generated from the keys; `path` is relative to the repository. */
export interface Generator {
  readonly path: string;
  render(): string;
}

export const generators: readonly Generator[] = [
  { path: jsonSchemaPath, render: renderJsonSchema },
  { path: referencePath, render: renderReference },
];
