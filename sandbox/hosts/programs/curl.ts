import { writeFileSync } from 'node:fs';
import { parseWords } from '../command-words.ts';
import type { Inside } from '../inside.ts';
import type { CallResult } from './calls.ts';

/**
 * Runs `curl` on a machine. Port 9252 is the runner manager's endpoint, which has another port on
 * this computer. Every other address is real.
 */
export async function curl(inside: Inside, words: readonly string[]): Promise<CallResult> {
  const { flags, rest, all } = parseWords(spread(words), {
    valued: [
      'm',
      'max-time',
      'connect-timeout',
      'o',
      'output',
      'w',
      'write-out',
      'X',
      'request',
      'H',
      'header',
      'retry',
      'url',
      'noproxy',
      'data-binary',
      'unix-socket',
    ],
  });
  const [first = flags.get('url') ?? '', ...more] = rest;
  const isWrapper = /^http:\/\/localhost:7777\/.*ProcessWrapper\/\w+$/.test(first);
  if (isWrapper) return callWrapper(inside, [first, ...more], flags.get('write-out') ?? '');
  const headers = headersOf([...all('H'), ...all('header')]);
  const results: CallResult[] = [];
  for (const target of [first, ...more])
    results.push(await transfer(inside, { url: target, flags, headers }));
  // The exit code of several transfers is that of the last one.
  return {
    code: results.at(-1)?.code ?? 0,
    out: results.map(({ out = '' }) => out).join(''),
    err: results.map(({ err = '' }) => err).join(''),
  };
}

interface Transfer {
  readonly url: string;
  readonly flags: ReadonlyMap<string, string>;
  readonly headers: Record<string, string>;
}

async function transfer(
  inside: Inside,
  { url: target, flags, headers }: Transfer,
): Promise<CallResult> {
  const isQuiet = flags.has('s') || flags.has('silent');
  const isLoud = !isQuiet || flags.has('S') || flags.has('show-error');
  const wanted = flags.get('w') ?? flags.get('write-out') ?? '';
  const fail = (code: number, why: string): CallResult => ({
    code,
    out: written(wanted, { code, status: 0, size: 0, connected: code === 22 || code === 28 }),
    err: isLoud ? `curl: (${code}) ${why}\n` : '',
  });
  const url = addressOf(inside, target);
  if (url === undefined) {
    return fail(7, `Failed to connect to ${target}: Connection refused`);
  }
  const seconds = Number(flags.get('m') ?? flags.get('max-time') ?? 300);
  try {
    const response = await fetch(url, {
      method:
        flags.has('I') || flags.has('head')
          ? 'HEAD'
          : (flags.get('X') ?? flags.get('request') ?? 'GET'),
      headers,
      redirect: flags.has('L') || flags.has('location') ? 'follow' : 'manual',
      signal: AbortSignal.timeout(seconds * 1000),
    });
    if (!response.ok && (flags.has('f') || flags.has('fail'))) {
      return fail(22, `The requested URL returned error: ${response.status}`);
    }
    const text = await response.text();
    const head = flags.has('i') || flags.has('include') ? headOf(response) : '';
    const size = Buffer.byteLength(text);
    return {
      code: 0,
      out:
        keep(flags.get('o') ?? flags.get('output'), head + text) +
        written(wanted, { code: 0, status: response.status, size, connected: true }),
    };
  } catch (error) {
    const isTimeout = (error as Error).name === 'TimeoutError';
    return isTimeout
      ? fail(28, `Operation timed out after ${seconds * 1000} milliseconds`)
      : fail(7, `Failed to connect to ${url.host}: Connection refused`);
  }
}

/** Calls the wrapper. The response's message is only its status, in field 1. */
function callWrapper({ unit }: Inside, urls: readonly string[], separator: string): CallResult {
  const statuses = urls.map((url) => unit?.callWrapper(url.replace(/.*\//, '')));
  const answers = statuses.map((status) => {
    // A refusal is in the trailers, which curl does not print.
    if (status === undefined || status === 'unimplemented') return '';
    const number = ['running', 'in_shutdown', 'stopped'].indexOf(status) + 1;
    return String.fromCharCode(0, 0, 0, 0, 2, 8, number);
  });
  const code = statuses.at(-1) === undefined ? 7 : 0;
  return { code, out: answers.map((answer) => `${answer}${separator}`).join('') };
}

function written(
  format: string,
  transferred: { code: number; status: number; size: number; connected: boolean },
): string {
  const { code, status, size, connected } = transferred;
  return format
    .replaceAll('%{exitcode}', String(code))
    .replaceAll('%{size_download}', String(size))
    .replaceAll('%{http_code}', String(status).padStart(3, '0'))
    .replaceAll('%{time_connect}', connected ? '0.000150' : '0.000000')
    .replaceAll('\\n', '\n');
}

/** Returns the real address. Undefined if no server listens. */
function addressOf(inside: Inside, target: string): URL | undefined {
  const text = target.includes('://') ? target : `http://${target}`;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (!isLoopback || url.port !== '9252') return url;
  const port = inside.unit?.port;
  return port === undefined
    ? undefined
    : new URL(`http://127.0.0.1:${port}${url.pathname}${url.search}`);
}

/** Splits short flags: `-fsS` is three flags; `-m5` is one with its value. */
function spread(words: readonly string[]): string[] {
  return words.flatMap((word) => {
    if (!/^-[a-zA-Z]{2,}$/.test(word)) {
      const tight = /^-([momwXH])(.+)$/.exec(word);
      return tight ? [`-${tight[1]}`, tight[2] ?? ''] : [word];
    }
    return [...word.slice(1)].map((letter) => `-${letter}`);
  });
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function keep(file: string | undefined, text: string): string {
  if (file === undefined || file === '-') return text;
  if (file !== '/dev/null') writeFileSync(file, text);
  return '';
}

function headOf(response: Response): string {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${response.status} ${response.statusText}\r\n${lines.join('')}\r\n`;
}
