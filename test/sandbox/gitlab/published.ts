import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/** What GitLab publishes of its API, read as it is meant rather than as it is written. */
interface Operation {
  method: string;
  template: string;
  pattern: RegExp;
  schema: string | undefined;
}

export interface Answer {
  method: string;
  path: string;
  status: number;
  body: unknown;
}

type Schema = Record<string, unknown>;

const file = new URL('../../fixtures/gitlab-openapi-subset.yaml', import.meta.url);
const document = parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, { responses: Record<string, Schema> }>>;
  components: { schemas: Record<string, { properties: Record<string, Schema> }> };
};

// Grape calls what it cannot name a string; the code and the examples say otherwise.
const MEANT: Record<string, Schema> = {
  'APIEntitiesCiRunnerRegistrationDetails.id': { type: 'integer' },
  'APIEntitiesBasicGroupDetails.id': { type: 'integer' },
  'APIEntitiesCiRunnerDetails.tag_list': { type: 'array', items: { type: 'string' } },
  'APIEntitiesCiRunnerDetails.run_untagged': { type: 'boolean' },
  'APIEntitiesCiRunnerDetails.locked': { type: 'boolean' },
  'APIEntitiesCiRunnerDetails.maximum_timeout': { type: ['integer', 'null'] },
  'APIEntitiesCiRunnerDetails.projects': listOf('APIEntitiesBasicProjectDetails'),
  'APIEntitiesCiRunnerDetails.groups': listOf('APIEntitiesBasicGroupDetails'),
  'APIEntitiesCiJobBasic.project': { type: 'object' },
  'APIEntitiesCiJob.project': { type: 'object' },
  'APIEntitiesMetadata.kas': { type: 'object' },
  'APIEntitiesUser.bot': { type: 'boolean' },
  'APIEntitiesUser.followers': { type: 'integer' },
  'APIEntitiesUser.following': { type: 'integer' },
  'APIEntitiesUser.is_followed': { type: 'boolean' },
  'APIEntitiesPersonalAccessTokenWithLastUsedIps.expires_at': {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  },
};

// Described as less than it is.
const FULLER: Record<string, string> = {
  '/api/v4/projects/{id}/jobs/{job_id}/play': 'APIEntitiesCiJob',
};

// Told by the code, and not by its description.
const FORGOTTEN: Record<string, Schema> = {
  APIEntitiesCiPipelineBasic: { name: { type: ['string', 'null'] } },
};

// Exposed under a condition, so an answer may be without them.
const CONDITIONAL = new Set([
  'projects',
  'failure_reason',
  'artifacts_file',
  'avatar_path',
  'custom_attributes',
  'license',
  'license_url',
  'repository_storage',
  'action',
  'archived',
]);

// The description names the element and forgets the list.
const LISTS = new Set([
  '/api/v4/projects/{id}/pipelines',
  '/api/v4/projects/{id}/pipelines/{pipeline_id}/jobs',
  '/api/v4/runners',
  '/api/v4/runners/all',
  '/api/v4/runners/{id}/managers',
  '/api/v4/runners/{id}/projects',
  '/api/v4/runners/{id}/jobs',
  '/api/v4/projects/{id}/runners',
  '/api/v4/groups/{id}/runners',
  '/api/v4/projects/{id}/resource_groups/{key}/upcoming_jobs',
]);

// Described as a job; it is the text that the job wrote.
const TEXTS = new Set(['/api/v4/projects/{id}/jobs/{job_id}/trace']);

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(
  ([template, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      template,
      pattern: patternOf(template),
      schema: TEXTS.has(template) ? undefined : (FULLER[template] ?? schemaOf(responses)),
    })),
);

const ajv = new Ajv({ strict: false, allErrors: true });
for (const [name, { properties }] of Object.entries(document.components.schemas)) {
  ajv.addSchema(objectSchema(name, properties), name);
}
const validators = new Map<string, ValidateFunction>();

/** What is wrong with a successful answer, as lines; also that nobody described it. */
export function problemsOf({ method, path, status, body }: Answer): string[] {
  const operation = findOperation(method, path);
  if (operation?.schema === undefined || status >= 300 || status === 204) return [];
  const { template, schema } = operation;
  const isList = method === 'GET' && LISTS.has(template);
  // No current job: null.
  if (body === null && template.endsWith('/current_job')) return [];
  const validate = validatorOf(schema, isList);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    (error) =>
      `${method} ${template}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

export function findOperation(method: string, path: string): Operation | undefined {
  // `/runners/all` is an id to the pattern of `/runners/{id}`; what has no braces goes first.
  const candidates = operations.filter((row) => row.method === method && row.pattern.test(path));
  return candidates.find((row) => !row.template.includes('{')) ?? candidates[0];
}

function validatorOf(schema: string, isList: boolean): ValidateFunction {
  const key = `${schema}${isList ? '[]' : ''}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  const made = ajv.compile(isList ? listOf(schema) : { $ref: schema });
  validators.set(key, made);
  return made;
}

function objectSchema(name: string, properties: Record<string, Schema>): Schema {
  const meant = Object.entries(properties).map(([key, property]) => [
    key,
    MEANT[`${name}.${key}`] ?? readAsMeant(property),
  ]);
  return {
    type: 'object',
    properties: { ...(Object.fromEntries(meant) as Schema), ...FORGOTTEN[name] },
    required: Object.keys(properties).filter((key) => !CONDITIONAL.has(key)),
    additionalProperties: false,
  };
}

function readAsMeant(property: Schema): Schema {
  const reference = property['$ref'];
  if (typeof reference === 'string') {
    return { anyOf: [{ $ref: reference.split('/').at(-1) ?? '' }, { type: 'null' }] };
  }
  switch (property['type']) {
    case 'DateTime':
      return { type: ['string', 'null'], pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d' };
    case 'Boolean':
      return { type: ['boolean', 'null'] };
    case 'Array':
      return { type: 'array' };
    case 'array':
      return { type: 'array', items: readAsMeant((property['items'] ?? {}) as Schema) };
    default:
      return { type: [property['type'], 'null'] };
  }
}

function listOf(name: string): Schema {
  return { type: 'array', items: { $ref: name } };
}

function schemaOf(responses: Record<string, Schema>): string | undefined {
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('2')) continue;
    const text = JSON.stringify(response);
    const name = /#\/components\/schemas\/(\w+)/.exec(text)?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

// `(ref/{ref}/)` is optional.
function patternOf(template: string): RegExp {
  const source = template.replaceAll(/\((.*?)\)/g, '(?:$1)?').replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
