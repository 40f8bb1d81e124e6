import { isLoopback } from '../../domain/loopback.ts';
import { badUsage } from '../../errors/input-errors.ts';
import type { Through } from '../../ports/failure.ts';
import { readExceptions } from './proxy-exceptions.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Through which proxy an address is asked, by the variables that curl and Terraform read, and what they
 * agree on: an empty value is none, and names, addresses and ranges are spared. Where both spellings are
 * set, curl goes by the small letters and Terraform by the capitals: here it is as with curl.
 */
export interface Proxies {
  /** Undefined: it is asked directly. */
  of(url: Pick<URL, 'protocol' | 'hostname' | 'port'>): URL | undefined;
  /** The same for errors, without what nobody may read. */
  through(url: Pick<URL, 'protocol' | 'hostname' | 'port' | 'host'>): Through | undefined;
}

/**
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, each in small letters first; undefined where there is no
 * proxy. What runs on this machine is never asked through one.
 * @throws DeployError `BadUsage`, where one is set that cannot be read: whoever needs a proxy is not
 * helped by being asked without.
 */
export function readProxies(environment: Environment): Proxies | undefined {
  const proxies = new Map<string, URL>();
  const variables = new Map<string, string>();
  for (const protocol of ['https:', 'http:']) {
    const [name, text] = read(environment, `${protocol.slice(0, -1)}_proxy`);
    if (text === '') continue;
    const proxy = addressOf(text);
    if (proxy === undefined) throw unreadable(name);
    proxies.set(protocol, proxy);
    variables.set(protocol, name);
  }
  if (proxies.size === 0) return undefined;
  const [spelling, list] = read(environment, 'no_proxy');
  const exceptions = list === '' ? 'NO_PROXY' : spelling;
  const isSpared = readExceptions(list);
  const of: Proxies['of'] = (url) =>
    isLoopback(url.hostname) || isSpared(url) ? undefined : proxies.get(url.protocol);
  return {
    of,
    through(url) {
      const proxy = of(url);
      if (proxy === undefined) return undefined;
      const variable = variables.get(url.protocol) ?? '';
      return { proxy: proxy.origin, variable, exceptions, host: url.host };
    },
  };
}

/** The value is left out: a password that makes it unreadable is still a password. */
function unreadable(name: string) {
  return badUsage({
    what: `${name} is not the address of a proxy that can be used here.`,
    why: 'A proxy is http:// or https://; SOCKS is not supported. In its user and password # is written %23, / is %2F and ? is %3F. The value is not shown, because a password may be in it.',
    fix: [
      `Correct it, as in ${name}=http://proxy.example.com:3128`,
      `Or unset ${name}, if what is asked can be reached directly`,
    ],
  });
}

/**
 * What of the proxies' addresses nobody may read, in each form in which it travels. Of both spellings,
 * and of what is not read here, too: other programs get all of these variables.
 */
export function secretsOfProxies(environment: Environment): readonly string[] {
  const secrets = ['https_proxy', 'http_proxy', 'all_proxy']
    .flatMap((name) => [name, name.toUpperCase()])
    .map((name) => environment[name]?.trim() ?? '')
    .flatMap(secretsOf);
  return [...new Set(secrets)];
}

function secretsOf(text: string): readonly string[] {
  if (text === '') return [];
  const [, rest = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text) ?? [];
  const typed = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  const proxy = addressOf(text);
  // Nobody knows which part of it is the password.
  if (proxy === undefined)
    return [rest, typed, typed.slice(typed.indexOf(':') + 1)].filter(Boolean);
  if (proxy.username + proxy.password === '') return [];
  const { username, password } = credentialsOf(proxy);
  return [
    `${proxy.username}:${proxy.password}`,
    ...(password === '' ? [username] : [password, proxy.password]),
    Buffer.from(`${username}:${password}`).toString('base64'),
    // As it was typed, with what has to be encoded and is not.
    ...(typed.includes(':') ? [typed, typed.slice(typed.indexOf(':') + 1)] : []),
  ].filter(Boolean);
}

/** `Basic …`, where the address has a user. */
export function authorizationOf(proxy: URL): string | undefined {
  const { username, password } = credentialsOf(proxy);
  if (username + password === '') return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function credentialsOf({ username, password }: URL) {
  return { username: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Without a scheme it is a host and a port. */
function addressOf(text: string): URL | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const proxy = new URL(address);
  // A password with one of # / ? that is not encoded ends the host before the real one.
  const isCut = `${proxy.pathname}${proxy.search}${proxy.hash}`.includes('@');
  return /^https?:$/.test(proxy.protocol) && !isCut ? proxy : undefined;
}

/** The spelling that counts, and its value: as curl and Terraform do, an empty one is passed over. */
function read(environment: Environment, name: string): readonly [name: string, text: string] {
  const spellings = [name, name.toUpperCase()];
  const used = spellings.find((spelling) => (environment[spelling] ?? '').trim() !== '') ?? name;
  return [used, (environment[used] ?? '').trim()];
}
