import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { managerHostName, type RunnerName, type Shard } from '../../../src/domain/shard.ts';
import { root } from '../../support/program.ts';

interface Attribute {
  readonly type: string;
  /** Default; absent for a required variable. */
  readonly default?: unknown;
}

interface Variable extends Attribute {
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

/** Published names, types and defaults of the module's variables that the example may set. */
export const published = JSON.parse(
  readFileSync(join(root, 'test/terraform/module/cattle-ops-variables.json'), 'utf8'),
) as {
  readonly source: string;
  readonly version: string;
  readonly variables: Readonly<Record<string, Variable>>;
};

/** Module arguments as texts without quotes. */
export type Given = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const place = { shard: 'pink' as Shard, runnerName: 'linux' as RunnerName };

/**
 * Reads the example's module arguments, with its two variables filled in, line by line from the
 * formatted file.
 */
export function readExample(text: string): Given {
  const given: Record<string, string | Record<string, string>> = {};
  let inner: Record<string, string> | undefined;
  const body = text.split('module "runner" {\n')[1]?.split('\n}\n')[0] ?? '';
  for (const line of body.split('\n')) {
    const [, name = '', value = ''] = /^\s*"?([\w:-]+)"?\s*=\s*(.+)$/.exec(line) ?? [];
    if (line === '  }') inner = undefined;
    else if (value === '{') {
      inner = {};
      given[name] = inner;
    } else if (name !== '') (inner ?? given)[name] = filled(value);
  }
  return given;
}

function filled(value: string): string {
  return value
    .replace(/^"(.*)"$/, '$1')
    .replaceAll(`\${var.shard}`, place.shard)
    .replaceAll(`\${var.runner_name}`, place.runnerName);
}

/** Returns the module's setting: the argument, or the default. */
function settingOf(given: Given, name: string, attribute?: string): string | undefined {
  const variable = published.variables[name];
  const value = given[name];
  if (attribute === undefined) return typeof value === 'string' ? value : text(variable?.default);
  const own = typeof value === 'object' ? value[attribute] : undefined;
  return own ?? text(variable?.attributes?.[attribute]?.default);
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

/** Lists arguments that the module does not have, and missing required ones. */
export function findUnpublished(given: Given): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (name === 'source' || name === 'version') return [];
    const variable = published.variables[name];
    if (variable === undefined) return [`${name} is no variable of the module`];
    if (typeof value === 'string' || variable.attributes === undefined) return [];
    const { attributes } = variable;
    const unknown = Object.keys(value).filter((key) => attributes[key] === undefined);
    const missing = Object.keys(attributes).filter(
      (key) => !('default' in (attributes[key] ?? {})) && value[key] === undefined,
    );
    return [
      ...unknown.map((key) => `${name} has no ${key}`),
      ...missing.map((key) => `${name} needs ${key}`),
    ];
  });
}

/**
 * Lists properties that prevent hosted-runner from using such a host. The Name tag follows the
 * module's locals.tf and tags.tf: the prefix, or a Name among the tags, or the environment. Own
 * tags take precedence.
 */
export function findTroubles(given: Given): readonly string[] {
  const tags = given['tags'];
  const tagged = typeof tags === 'object' ? tags['Name'] : undefined;
  const prefix = settingOf(given, 'runner_instance', 'name_prefix');
  const name = tagged ?? prefix ?? settingOf(given, 'environment');
  const listener = settingOf(given, 'runner_manager', 'prometheus_listen_address');
  const [major = 0] = (settingOf(given, 'runner_gitlab', 'runner_version') ?? '')
    .split('.')
    .map(Number);
  const heartbeat = Number(
    settingOf(given, 'runner_terminate_ec2_lifecycle_timeout_duration') ?? 300,
  );
  const hops = settingOf(given, 'runner_metadata_options', 'http_put_response_hop_limit') ?? '2';
  const troubles: readonly (readonly [boolean, string])[] = [
    [name !== managerHostName(place), `the Name tag is ${name}`],
    [settingOf(given, 'runner_instance', 'ssm_access') !== 'true', 'no SSM agent may register'],
    [listener !== '127.0.0.1:9252', `the listener is ${JSON.stringify(listener)}`],
    [major < 19, `the runner is ${settingOf(given, 'runner_gitlab', 'runner_version')}`],
    [heartbeat < 7200, `a terminated host has ${heartbeat} s for its jobs`],
    [hops !== '1', `a job's container reaches the host's role: ${hops} hops`],
    [
      settingOf(given, 'runner_worker', 'type') === 'docker+machine',
      'workers are of docker+machine',
    ],
    ...workerTroubles(given),
  ];
  return troubles.flatMap(([is, what]) => (is ? [what] : []));
}

/**
 * Lists problems of the workers' group. AWS creates none without a subnet. A rolling refresh ends
 * workers with jobs. A root volume with another name than the image's becomes an additional disk.
 */
function workerTroubles(given: Given): readonly (readonly [boolean, string])[] {
  if (settingOf(given, 'runner_worker', 'type') !== 'docker-autoscaler') return [];
  const group = 'runner_worker_docker_autoscaler_asg';
  const instance = 'runner_worker_docker_autoscaler_instance';
  const user = settingOf(given, 'runner_worker_docker_autoscaler', 'connector_config_user');
  const device = settingOf(given, instance, 'root_device_name');
  return [
    [!/\w/.test(settingOf(given, group, 'subnet_ids') ?? ''), 'workers have no subnet'],
    [
      settingOf(given, group, 'upgrade_strategy') === 'rolling',
      'a rolling refresh ends workers under their jobs',
    ],
    [
      user === 'ec2-user' && device !== '/dev/xvda',
      `the root volume of Amazon Linux is not ${device}`,
    ],
  ];
}

/** Writes a module with only these variables, for Terraform's own type check. */
export function writeStandIn(): string {
  return Object.entries(published.variables)
    .map(([name, { type, attributes, default: otherwise }]) => {
      const own = attributes === undefined ? type : `object({\n${fields(attributes)}\n  })`;
      const value = otherwise === undefined ? '' : `\n  default = ${JSON.stringify(otherwise)}`;
      return `variable "${name}" {\n  type = ${own}${value}\n}\n`;
    })
    .join('\n');
}

function fields(attributes: Readonly<Record<string, Attribute>>): string {
  return Object.entries(attributes)
    .map(([name, one]) => {
      const type = one.type === 'other' ? 'any' : one.type;
      return `    ${name} = ${'default' in one ? `optional(${type})` : type}`;
    })
    .join('\n');
}
