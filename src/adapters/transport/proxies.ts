import { isLoopback } from '../../domain/loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Through which proxy an address is asked, as curl and Terraform read the same variables. */
export interface Proxies {
  /** Undefined: it is asked directly. */
  of(url: Pick<URL, 'protocol' | 'hostname' | 'port'>): URL | undefined;
}

/**
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, each in small letters first; undefined where there is no
 * proxy. What runs on this machine is never asked through one.
 */
export function readProxies(environment: Environment): Proxies | undefined {
  const proxies = new Map<string, URL>();
  for (const protocol of ['https:', 'http:']) {
    const proxy = readProxy(environment, `${protocol.slice(0, -1)}_proxy`);
    if (proxy !== undefined) proxies.set(protocol, proxy);
  }
  if (proxies.size === 0) return undefined;
  const exceptions = read(environment, 'no_proxy')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  return {
    of(url) {
      if (isLoopback(url.hostname) || exceptions.some((entry) => covers(entry, url)))
        return undefined;
      return proxies.get(url.protocol);
    },
  };
}

/** What of the proxies' addresses nobody may read, in each form in which it travels. */
export function secretsOfProxies(environment: Environment): readonly string[] {
  return ['https_proxy', 'http_proxy'].flatMap((name) => {
    const proxy = readProxy(environment, name);
    if (proxy === undefined || proxy.username + proxy.password === '') return [];
    const { username, password } = credentialsOf(proxy);
    return [
      `${proxy.username}:${proxy.password}`,
      ...(password === '' ? [username] : [password, proxy.password]),
      Buffer.from(`${username}:${password}`).toString('base64'),
    ];
  });
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

/** Without a scheme it is a host and a port; something that is no address at all is no proxy of ours. */
function readProxy(environment: Environment, name: string): URL | undefined {
  const text = read(environment, name).trim();
  if (text === '') return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const proxy = new URL(address);
  return /^https?:$/.test(proxy.protocol) ? proxy : undefined;
}

function read(environment: Environment, name: string): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? '';
}

/** `example.com` and `.example.com` cover the host and what is below it; a port narrows it down. */
function covers(entry: string, url: Pick<URL, 'protocol' | 'hostname' | 'port'>): boolean {
  if (entry === '*') return true;
  const [, name = '', port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  const wanted = name.toLowerCase().replace(/^\*?\./, '');
  const used = url.port === '' ? { 'https:': '443', 'http:': '80' }[url.protocol] : url.port;
  if (port !== undefined && port !== used) return false;
  return url.hostname === wanted || url.hostname.endsWith(`.${wanted}`);
}
