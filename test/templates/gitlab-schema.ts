import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { root } from '../support/program.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
// Its types miss that the function is the module's default.
(addFormats as unknown as (to: object) => void)(ajv);
const validate = ajv.compile(
  JSON.parse(readFileSync(join(root, 'test/fixtures/gitlab-ci.schema.json'), 'utf8')),
);

/** What GitLab's own schema of a CI file has against a document, a line each. */
export function problemsOf(document: unknown): string[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = (params as { additionalProperty?: string }).additionalProperty;
    return `${instancePath} ${message}${extra === undefined ? '' : `: ${extra}`}`;
  });
}
