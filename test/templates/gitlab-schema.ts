import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { root } from '../support/program.ts';

const ajv = new Ajv({ strict: false, allErrors: true });
// The types lack the module's default export.
(addFormats as unknown as (to: object) => void)(ajv);
const validate = ajv.compile(
  JSON.parse(readFileSync(join(root, 'test/fixtures/gitlab-ci.schema.json'), 'utf8')),
);

/** Lists a document's violations of GitLab's own schema for CI files, one line each. */
export function problemsOf(document: unknown): string[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = (params as { additionalProperty?: string }).additionalProperty;
    return `${instancePath} ${message}${extra === undefined ? '' : `: ${extra}`}`;
  });
}
