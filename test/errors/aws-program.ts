import * as autoScaling from '@aws-sdk/client-auto-scaling';
import * as ec2 from '@aws-sdk/client-ec2';
import * as iam from '@aws-sdk/client-iam';
import * as ssm from '@aws-sdk/client-ssm';

/**
 * Clients of AWS's services. The AWS CLI and the JavaScript clients are generated from the same
 * models, so the clients can validate and execute a command line.
 */
const services: Readonly<Record<string, { client: string; module: object }>> = {
  ssm: { client: 'SSMClient', module: ssm },
  ec2: { client: 'EC2Client', module: ec2 },
  iam: { client: 'IAMClient', module: iam },
  autoscaling: { client: 'AutoScalingClient', module: autoScaling },
};

/** Options that every operation accepts. */
const global = ['query', 'output', 'region', 'profile'];

export interface AwsOrder {
  readonly service: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly query?: string;
}

/** Splits a line into words like a shell, with variables filled in and comments removed. */
export function shellWords(
  line: string,
  variables: Readonly<Record<string, string>> = {},
): string[] {
  const text = line.replace(/\\\n/g, ' ').replace(/\s+#.*$/, '');
  return [...text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|([^'"]+)/g,
      (_, single, double, bare) =>
        single ??
        (double ?? bare).replace(
          /\$(\w+)/g,
          (whole: string, name: string) => variables[name] ?? whole,
        ),
    ),
  );
}

/** @throws if the AWS CLI would refuse the line before any request */
export function readAws(words: readonly string[]): AwsOrder {
  const [program, service = '', name = '', ...rest] = words;
  const found = services[service];
  if (program !== 'aws' || found === undefined) throw new Error(`no service ${service}`);
  const models = found.module as Record<string, unknown>;
  const operation = Object.keys(models)
    .filter((key) => key.endsWith('Command'))
    .map((key) => key.replace(/Command$/, ''))
    .find((key) => kebab(key) === name);
  const model = models[`${operation}$`] as Operation | undefined;
  if (operation === undefined || model === undefined)
    throw new Error(`${service} has no operation ${name}`);
  const [, , , , members, kinds, required = 0] = model[4]();
  const options = new Map(
    members.map((member, index) => [kebab(member), { member, kind: kinds[index] }]),
  );
  const input: Record<string, unknown> = {};
  const given: Record<string, string> = {};
  for (const [flag, values] of flagsOf(rest)) {
    if (global.includes(flag)) {
      if (values.length !== 1) throw new Error(`--${flag} wants one value`);
      given[flag] = values[0] ?? '';
      continue;
    }
    const option = options.get(flag) ?? options.get(flag.replace(/^no-/, ''));
    if (option === undefined) throw new Error(`${name} has no option --${flag}`);
    input[option.member] = readValue(option.kind, { flag, values });
  }
  const missing = members.slice(0, required).filter((member) => !(member in input));
  if (missing.length > 0) throw new Error(`${name} needs ${missing.map(kebab).join(', ')}`);
  const { query } = given;
  return { service, operation, input, ...(query === undefined ? {} : { query }) };
}

/** Runs the order and returns the response like `--output json`. */
export async function runAws(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { service, operation, input, query } = readAws(words);
  const { client, module } = services[service] as (typeof services)[string];
  const constructors = module as Record<string, new (given: object) => never>;
  const endpoint = environment[`AWS_ENDPOINT_URL_${client.replace('Client', '').toUpperCase()}`];
  const one = new (constructors[client] as new (given: object) => Sender)({
    // Version 1 of the AWS CLI reads only this variable.
    region: environment['AWS_DEFAULT_REGION'],
    ...(endpoint === undefined ? {} : { endpoint }),
    credentials: {
      accessKeyId: environment['AWS_ACCESS_KEY_ID'],
      secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'],
    },
  });
  try {
    const answer = await one.send(
      new (constructors[`${operation}Command`] as new (given: object) => never)(input),
    );
    return query === undefined ? answer : pick(answer, query);
  } finally {
    one.destroy();
  }
}

interface Sender {
  send(command: never): Promise<unknown>;
  destroy(): void;
}

type Kind = number | (() => unknown) | readonly [Kind, ...unknown[]];
type Shape = readonly [3, string, string, unknown, readonly string[], readonly Kind[], number?];
type Operation = readonly [9, string, string, unknown, () => Shape, () => unknown];

function flagsOf(words: readonly string[]): [flag: string, values: string[]][] {
  const flags: [string, string[]][] = [];
  for (const word of words) {
    if (word.startsWith('--')) flags.push([word.slice(2), []]);
    else if (flags.length === 0) throw new Error(`no option before ${word}`);
    else flags.at(-1)?.[1].push(word);
  }
  return flags;
}

/** Mark of a list in the models' numbers: 64 is a list of texts. */
const listOfKind = 64;

function readValue(
  kind: Kind | undefined,
  { flag, values }: { flag: string; values: readonly string[] },
): unknown {
  const [plain] = Array.isArray(kind) ? (kind as readonly [Kind]) : [kind];
  if (plain === 2) {
    if (values.length > 0) throw new Error(`--${flag} takes no value`);
    return !flag.startsWith('no-');
  }
  if (values.length === 0) throw new Error(`--${flag} wants a value`);
  const isOne =
    (typeof plain === 'number' && plain < listOfKind) ||
    (Array.isArray(kind) && typeof plain === 'function' && isText(plain));
  if (isOne) {
    if (values.length > 1) throw new Error(`--${flag} takes one value`);
    return plain === 1 ? Number(values[0]) : values[0];
  }
  return values.map((text) => (/^\w+=/.test(text) ? shorthand(text) : text));
}

/** Decides whether a field is a text. A sensitive text is a function. */
function isText(kind: unknown): boolean {
  if (typeof kind !== 'function') return false;
  const [shape] = [(kind as () => unknown)()].flat(1);
  return shape === 0;
}

/** `Key=tag:Name,Values=a,b` */
function shorthand(text: string): Record<string, unknown> {
  const members: Record<string, string[]> = {};
  let last = '';
  for (const part of text.split(',')) {
    const [, key, value = part] = /^(\w+)=(.*)$/.exec(part) ?? [];
    if (key !== undefined) last = key;
    members[last] = [...(members[last] ?? []), value];
  }
  return Object.fromEntries(
    Object.entries(members).map(([key, values]) => [key, key === 'Values' ? values : values[0]]),
  );
}

/** Evaluates the part of JMESPath that the project's lines use. */
function pick(value: unknown, query: string): unknown {
  if (query === '') return value;
  const [, slice, each, index, names, name, rest = ''] =
    /^\.?(?:\[(-?\d*):\]|(\[\])|\[(\d+)\]|\[([\w.,]+)\]|(\w+))(.*)$/.exec(query) ?? [];
  if (slice !== undefined || each !== undefined) {
    const items = (value as unknown[]).slice(Number(slice ?? 0)).map((item) => pick(item, rest));
    return rest.startsWith('.') && rest.includes('[]') ? items.flat() : items;
  }
  if (index !== undefined) return pick((value as unknown[] | null)?.[Number(index)] ?? null, rest);
  if (names !== undefined) return names.split(',').map((path) => pick(value, path));
  if (name === undefined) throw new Error(`the query ${query} is not read here`);
  return pick((value as Record<string, unknown> | null)?.[name] ?? null, rest);
}

function kebab(text: string): string {
  return text
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();
}
