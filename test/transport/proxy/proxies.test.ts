import { describe, expect, test } from '@jest/globals';
import {
  authorizationOf,
  readProxies,
  secretsOfProxies,
} from '../../../src/adapters/transport/proxies.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';

const through = (environment: Record<string, string>, url: string) =>
  readProxies(environment)?.of(new URL(url))?.href;

describe('the choice of a proxy', () => {
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
    [{ HTTPS_PROXY: '' }, 'https://a.b', undefined],
    [{ https_proxy: '', HTTPS_PROXY: 'http://large:1' }, 'https://a.b', 'http://large:1/'],
    [{ HTTPS_PROXY: 'http://large:1', no_proxy: '', NO_PROXY: 'a.b' }, 'https://a.b', undefined],
    [both, 'http://127.0.0.1:8080', undefined],
    [both, 'http://127.9.9.9', undefined],
    [both, 'http://localhost:1', undefined],
    [both, 'https://[::1]:1', undefined],
  ])('depends on the settings and the address: %j, %s: %s', (environment, url, proxy) => {
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

test.each([
  ['fd00::10', 'https://[fd00::10]', true],
  ['FD00:0:0::10', 'https://[fd00::10]:8443', true],
  ['fd00::10', 'https://[fd00::11]', false],
  ['[fd00::10]', 'https://[fd00::10]', true],
  ['[fd00::10]:443', 'https://[fd00::10]', true],
  ['[fd00::10]:8443', 'https://[fd00::10]', false],
  ['fd00::/8', 'https://[fdab::1]', true],
  ['fd00::/8', 'https://[fe80::1]', false],
  ['10.0.0.0/8', 'https://10.200.3.4', true],
  ['10.0.0.0/8', 'https://11.0.0.1', false],
  ['10.0.0.0/8', 'https://10.example.com', false],
  ['10.0.0.0/99', 'https://10.0.0.1', false],
  ['10.0.0.1', 'https://10.0.0.1', true],
  ['10.0.0.1:8443', 'https://10.0.0.1', false],
])('NO_PROXY=%s spares %s: %s', (noProxy, url, spared) => {
  const environment = { HTTPS_PROXY: 'http://one:3128', NO_PROXY: noProxy };
  expect(through(environment, url) === undefined).toBe(spared);
});

describe('an invalid proxy setting', () => {
  test.each([
    ['HTTPS_PROXY', 'http://user:p#ss-word@proxy:3128'],
    ['https_proxy', 'http://user:12#ss-word@proxy:3128'],
    ['HTTP_PROXY', 'user:p/ss-word@proxy:3128'],
    ['https_proxy', 'http://user:p?ss-word@proxy:3128'],
    ['HTTPS_PROXY', 'socks5://user:ss-word@proxy:3128'],
    ['HTTPS_PROXY', 'not an address'],
  ])(
    'causes an error with the name of the variable in %s=%s, and the value is a secret',
    (name, value) => {
      const refused = expectError(() => readProxies({ [name]: value }));
      expect(refused).toMatchObject({
        code: 'BadUsage',
        exitCode: 2,
        fields: {
          what: `${name} is not a usable proxy address.`,
          why: [
            'A proxy URL begins with http:// or https://; SOCKS is not supported. In its user and password, write # as %23, / as %2F and ? as %3F. The value is not shown, because it may contain a password.',
          ],
          fix: [
            `Correct it, for example ${name}=http://proxy.example.com:3128`,
            `Or unset ${name}, if the target is reachable without a proxy`,
          ],
        },
      });
      const redactor = createRedactor();
      for (const secret of secretsOfProxies({ [name]: value })) redactor.add(secret);
      expect(redactor.redact(`${name}=${value}`)).not.toMatch(/ss-word|address/);
      const [, password] = /^.*user:(.*)@.*$/.exec(value) ?? [];
      if (password !== undefined) expect(redactor.redact(password)).toBe('[MASKED]');
    },
  );

  test('causes no error in the unused spelling of the variable', () => {
    const environment = { https_proxy: 'http://small:1', HTTPS_PROXY: 'socks5://large:1' };
    expect(through(environment, 'https://a.b')).toBe('http://small:1/');
  });
});

function expectError(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was refused');
}

test.each([
  [
    'both spellings',
    { https_proxy: 'http://me:small-one@a:1', HTTPS_PROXY: 'http://me:large-one@b:1' },
  ],
  [
    'a variable that hosted-runner does not read',
    { ALL_PROXY: 'socks5://me:small-one@a:1', all_proxy: 'x:large-one@b:1' },
  ],
])('the passwords of %s are secret, because other programs receive them', (_, environment) => {
  const secrets = secretsOfProxies(environment);
  expect(secrets).toEqual(expect.arrayContaining(['small-one', 'large-one']));
});

test('a partly encoded password is secret in its typed form, too', () => {
  expect(secretsOfProxies({ HTTPS_PROXY: 'http://me:p%40ss^word@one:3128' })).toEqual(
    expect.arrayContaining(['p%40ss^word', 'p@ss^word', 'p%40ss%5Eword']),
  );
});

test('proxy credentials are secret in each form that travels', () => {
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
