import { isLoopback } from '../../domain/loopback.ts';
import { badUsage } from '../../errors/input-errors.ts';
import type { Through } from '../../ports/failure.ts';
import { readExceptions } from './proxy-exceptions.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Proxies by address, from the variables that curl and Terraform read. An empty value counts as
 * unset, and exceptions may be names, addresses and ranges. If both spellings are set, curl uses
 * lower case and Terraform upper case; this follows curl.
 */
export interface Proxies {
  /** Returns the proxy for an address. Undefined means a direct connection. */
  of(url: Pick<URL, 'protocol' | 'hostname' | 'port'>): URL | undefined;
  /** Returns the proxy for errors, without its secrets. */
  through(url: Pick<URL, 'protocol' | 'hostname' | 'port' | 'host'>): Through | undefined;
}

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, each in lower case first. Undefined without a
 * proxy. Addresses of this machine never use a proxy.
 * @throws DeployError `BadUsage` for an unreadable value: a direct connection would not work for a user who needs a proxy
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

/** Creates the error without the value: a malformed value may contain a password. */
function unreadable(name: string) {
  return badUsage({
    what: `${name} is not a usable proxy address.`,
    why: 'A proxy URL begins with http:// or https://; SOCKS is not supported. In its user and password, write # as %23, / as %2F and ? as %3F. The value is not shown, because it may contain a password.',
    fix: [
      `Correct it, for example ${name}=http://proxy.example.com:3128`,
      `Or unset ${name}, if the target is reachable without a proxy`,
    ],
  });
}

/**
 * Lists the secret parts of the proxies' addresses in all forms. It includes both spellings and
 * variables that are not used here, because other programs receive all of them.
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
  // In an unreadable address, the password's position is unknown.
  if (proxy === undefined)
    return [rest, typed, typed.slice(typed.indexOf(':') + 1)].filter(Boolean);
  if (proxy.username + proxy.password === '') return [];
  const { username, password } = credentialsOf(proxy);
  return [
    `${proxy.username}:${proxy.password}`,
    ...(password === '' ? [username] : [password, proxy.password]),
    Buffer.from(`${username}:${password}`).toString('base64'),
    // This form is unencoded, as the user typed it.
    ...(typed.includes(':') ? [typed, typed.slice(typed.indexOf(':') + 1)] : []),
  ].filter(Boolean);
}

/** Returns `Basic …` if the address has a user. */
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

/** Parses an address. Without a scheme, it is a host and a port. */
function addressOf(text: string): URL | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const proxy = new URL(address);
  // An unencoded # / or ? in a password ends the host too early.
  const isCut = `${proxy.pathname}${proxy.search}${proxy.hash}`.includes('@');
  return /^https?:$/.test(proxy.protocol) && !isCut ? proxy : undefined;
}

/**
 * Returns the spelling in use and its value. An empty value is skipped, as in curl and Terraform.
 */
function read(environment: Environment, name: string): readonly [name: string, text: string] {
  const spellings = [name, name.toUpperCase()];
  const used = spellings.find((spelling) => (environment[spelling] ?? '').trim() !== '') ?? name;
  return [used, (environment[used] ?? '').trim()];
}
