import { describe, expect, test } from '@jest/globals';
import {
  authorizationOf,
  readProxies,
  secretsOfProxies,
} from '../../../src/adapters/transport/proxies.ts';

const through = (environment: Record<string, string>, url: string) =>
  readProxies(environment)?.of(new URL(url))?.href;

describe('which proxy an address is asked through', () => {
  const both = { HTTPS_PROXY: 'http://one:3128', http_proxy: 'http://two:8080' };
  test.each([
    [both, 'https://gitlab.example.com/api', 'http://one:3128/'],
    [both, 'http://gitlab.example.com/api', 'http://two:8080/'],
    [
      { https_proxy: 'http://small:1', HTTPS_PROXY: 'http://large:1' },
      'https://a.b',
      'http://small:1/',
    ],
    [{ https_proxy: 'proxy.example.com:3128' }, 'https://a.b', 'http://proxy.example.com:3128/'],
    [{ HTTP_PROXY: 'http://two:8080' }, 'https://a.b', undefined],
    [{ ALL_PROXY: 'http://two:8080' }, 'https://a.b', undefined],
    [{ HTTPS_PROXY: 'socks5://two:8080' }, 'https://a.b', undefined],
    [{ HTTPS_PROXY: 'not an address' }, 'https://a.b', undefined],
    [{ HTTPS_PROXY: '' }, 'https://a.b', undefined],
    [both, 'http://127.0.0.1:8080', undefined],
    [both, 'http://127.9.9.9', undefined],
    [both, 'http://localhost:1', undefined],
    [both, 'https://[::1]:1', undefined],
  ])('%j, %s: %s', (environment, url, proxy) => {
    expect(through(environment as Record<string, string>, url)).toBe(proxy);
  });

  test.each([
    ['*', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['GITLAB.example.com', true],
    ['other.org, gitlab.example.com', true],
    ['other.org gitlab.example.com:443', true],
    ['gitlab.example.com:8443', false],
    ['lab.example.com', false],
    ['com.example', false],
    ['', false],
  ])('NO_PROXY=%s spares gitlab.example.com: %s', (noProxy, spared) => {
    const environment = { HTTPS_PROXY: 'http://one:3128', NO_PROXY: noProxy };
    expect(through(environment, 'https://gitlab.example.com/') === undefined).toBe(spared);
  });
});

test('what authorizes at a proxy is secret in each form in which it travels', () => {
  const environment = { HTTPS_PROXY: 'http://me:p%40ss-word@one:3128' };
  const basic = Buffer.from('me:p@ss-word').toString('base64');
  expect(secretsOfProxies(environment)).toEqual([
    'me:p%40ss-word',
    'p@ss-word',
    'p%40ss-word',
    basic,
  ]);
  expect(authorizationOf(new URL(environment.HTTPS_PROXY))).toBe(`Basic ${basic}`);
  expect(authorizationOf(new URL('http://one:3128'))).toBeUndefined();
  expect(secretsOfProxies({ HTTPS_PROXY: 'http://one:3128' })).toEqual([]);
});
