import { createRequire } from 'node:module';

type ProxiedAddress = Pick<URL, 'protocol' | 'hostname' | 'port'>;

/**
 * Parses `NO_PROXY` into a test of addresses. `example.com` and `.example.com` cover the host and
 * its subdomains. `10.0.0.0/8` and `fd00::/8` are ranges. An address matches in any spelling, and a
 * port limits each entry.
 */
export function readExceptions(list: string): (url: ProxiedAddress) => boolean {
  const covering = list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(readEntry);
  return (url) => covering.some((covers) => covers(url));
}

function readEntry(entry: string): (url: ProxiedAddress) => boolean {
  if (entry === '*') return () => true;
  const { name, port } = divide(entry);
  const covers = readRange(name) ?? readName(name);
  return (url) => (port === undefined || port === portOf(url)) && covers(url.hostname);
}

/** Splits an entry. An IPv6 address contains colons, so a port must follow brackets. */
function divide(entry: string): { readonly name: string; readonly port?: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry);
  if (bracketed !== null) return { name: bracketed[1] ?? '', port: bracketed[2] };
  if (entry.split(':').length > 2) return { name: entry };
  const [, name = entry, port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  return { name, port };
}

function portOf({ port, protocol }: ProxiedAddress): string | undefined {
  return port === '' ? { 'https:': '443', 'http:': '80' }[protocol] : port;
}

function readName(name: string): (hostname: string) => boolean {
  const wanted = name.toLowerCase().replace(/^\*?\./, '');
  return (hostname) => hostname === wanted || hostname.endsWith(`.${wanted}`);
}

/** Parses an address or a range. Undefined for anything else. */
function readRange(name: string): ((hostname: string) => boolean) | undefined {
  const [, address = '', prefix] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(name) ?? [];
  if (!/[.:]/.test(address)) return undefined;
  // Loaded on use: only exceptions with addresses need it, and it slows down the start.
  const { BlockList, isIP } = createRequire('/')('node:net') as typeof import('node:net');
  const family = isIP(address);
  const bits = prefix === undefined ? bitsOf[family] : Number(prefix);
  if (family === 0 || bits === undefined || bits > (bitsOf[family] ?? 0)) return undefined;
  const spared = new BlockList();
  spared.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
  return (hostname) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const kind = isIP(host);
    return kind !== 0 && spared.check(host, kind === 6 ? 'ipv6' : 'ipv4');
  };
}

const bitsOf: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
