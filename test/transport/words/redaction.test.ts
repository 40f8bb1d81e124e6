import { describe, expect, test } from '@jest/globals';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';

const secret = 'pa/ss?wörd+"quoted" <&> \\end';
const base64 = (text: string) => Buffer.from(text).toString('base64');

function redact(text: string, ...secrets: string[]): string {
  const redactor = createRedactor();
  for (const each of secrets) redactor.add(each);
  return redactor.redact(text);
}

describe('a registered secret', () => {
  const forms: [string, string][] = [
    ['plain', secret],
    ['base64', base64(secret)],
    ['base64 without padding', base64(secret).replace(/=+$/, '')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['hex', Buffer.from(secret).toString('hex')],
    ['HEX', Buffer.from(secret).toString('hex').toUpperCase()],
    ['URL-encoded', encodeURIComponent(secret)],
    ['form-encoded', new URLSearchParams({ secret }).toString().slice('secret='.length)],
    [
      'URL-encoded in lower case',
      encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase()),
    ],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    [
      'JSON of Go and Rails',
      JSON.stringify(secret)
        .slice(1, -1)
        .replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
    ],
  ];
  test.each(forms)('stays masked as %s', (_, form) => {
    expect(redact(`before ${form} after`, secret)).toBe('before [MASKED] after');
  });

  test.each([0, 1, 2, 3, 4, 5])('stays masked in base64 behind %d other bytes', (offset) => {
    const text = base64(`${'u:pqr'.slice(0, offset)}${secret}:and more behind it`);
    const masked = redact(text, secret);
    expect(masked).toContain('[MASKED]');
    const inner = base64(secret).slice(8, 24);
    expect(masked).not.toContain(inner);
    expect(masked.length).toBeLessThan(text.length - 26);
  });

  test.each([1000, 2001, 20_000, 100_000])(
    'stays masked with %d characters, in every form',
    (length) => {
      const long = 'k9/'.repeat(length / 3 + 1).slice(0, length);
      const all = [long, base64(long), Buffer.from(long).toString('hex'), encodeURIComponent(long)];
      expect(redact(`${all.join(' ')} hunter22`, 'hunter22', long)).toBe(
        '[MASKED] [MASKED] [MASKED] [MASKED] [MASKED]',
      );
      expect(redact('an ordinary word', long)).toBe('an ordinary word');
    },
  );

  test('stays masked everywhere, even beside a secret that is its prefix', () => {
    expect(redact('abcdefgh-long abcdefgh', 'abcdefgh', 'abcdefgh-long')).toBe('[MASKED] [MASKED]');
  });

  test('stays masked line by line', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----';
    expect(redact('log: MIIEvQIBADANBg', key)).toBe('log: [MASKED]');
  });

  test('stays masked without its surrounding blanks', () => {
    expect(redact('token=opensesame;', 'opensesame\n')).toBe('token=[MASKED];');
  });

  test('stays masked in plain form only if it has fewer than 8 characters', () => {
    expect(redact(`hunter ${base64('hunter')}`, 'hunter')).toBe(`[MASKED] ${base64('hunter')}`);
  });

  test.each(['', ' ', 'abc', '\n\n\n\n\n'])(
    'stays unmasked if it has fewer than 4 characters (%j)',
    (short) => {
      expect(redact('abc abc', short)).toBe('abc abc');
    },
  );
});

describe('text in the form of a token or secret', () => {
  const tokens: [string, string][] = [
    ['runner glrt-t1_AbCdEfGhIjKlMnOpQrSt!', 'runner [MASKED]!'],
    ['glpat-abcdefghij0123456789.01.0abc', '[MASKED]'],
    ['glcbt-64_abcdefghijk', '[MASKED]'],
    ['gldt-abcdefghijkl', '[MASKED]'],
    ['GR1348941abcdefghijklmnop', '[MASKED]'],
    ['AKIAIOSFODNN7EXAMPLE', '[MASKED]'],
    ['key=ASIAIOSFODNN7EXAMPLE', 'key=[MASKED]'],
    ['PRIVATE-TOKEN: abc', 'PRIVATE-TOKEN: [MASKED]'],
    ['{"private-token":"abc","other":1}', '{"private-token":"[MASKED]","other":1}'],
    ["-H 'Authorization: Bearer abc.def'", "-H 'Authorization: [MASKED]'"],
    ['authorization: AWS4-HMAC-SHA256 Credential=x/y, Signature=z', 'authorization: [MASKED]'],
  ];
  test.each(tokens)('appears masked: %s', (text, masked) => {
    expect(redact(text)).toBe(masked);
  });

  // The token is assembled here, because scanners would report a literal as a leak.
  const key = `wJalrXUtnFEMI/K7MDENG+bPxRfiCY${'EXAMPLEKEY'}`;
  const begin = (kind: string) => `-----BEGIN ${kind}PRIVATE KEY-----`;
  const others: [string, string][] = [
    [`xox${'b'}-123456789012-abcdefghij`, '[MASKED]'],
    [`https://hooks.slack.com/${'services'}/T00000000/B00000000/XXXX`, 'https://[MASKED]'],
    [`hvs${'.'}CAESIJlWSpyLbn0EwzwbVp9iXtQ`, '[MASKED]'],
    [
      'git clone https://person:hunter22@git.example.com/a',
      'git clone https://person:[MASKED]@git.example.com/a',
    ],
    ['redis://:hunt@er22@cache:6379/0', 'redis://:[MASKED]@cache:6379/0'],
    [`${begin('RSA ')}\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----\nbehind`, '[MASKED]\nbehind'],
    [`${begin('')}\\nMIIE\\n`, '[MASKED]'],
    [`AWS_SECRET_ACCESS_KEY=${key}`, 'AWS_SECRET_ACCESS_KEY=[MASKED]'],
    ['"SecretAccessKey": "short"', '"SecretAccessKey": "[MASKED]"'],
    [`the key is ${key}.`, 'the key is [MASKED].'],
    ['aws_session_token = abc', 'aws_session_token = [MASKED]'],
    ['GET /x?private_token=abc', 'GET /x?private_token=[MASKED]'],
    ['client_secret=abcdefgh was refused', 'client_secret=[MASKED] was refused'],
    ['PGPASSWORD=hunter22 psql', 'PGPASSWORD=[MASKED] psql'],
    ['Server=db;User Id=app;Password=hunter22;', 'Server=db;User Id=app;Password=[MASKED]'],
    ['password = "hunter 22"', 'password = "[MASKED]"'],
    ['{"password":"hunter"}', '{"password":"[MASKED]"}'],
    ['{\\"password\\":\\"hunter\\"}', '{\\"password\\":\\"[MASKED]\\"}'],
    ['DATADOG_APIKEY=0123456789abcdef', 'DATADOG_APIKEY=[MASKED]'],
    ['DD-API-KEY: 0123456789abcdef', 'DD-API-KEY: [MASKED]'],
    ['X-Vault-Token: abc', 'X-Vault-Token: [MASKED]'],
    ['GET /x?token=abc', 'GET /x?token=[MASKED]'],
    ['GET /x?token=abc&x=y', 'GET /x?token=[MASKED]&x=y'],
    ['token => abcdefgh', 'token => [MASKED]'],
    ['password    = hunter22', 'password    = [MASKED]'],
    ['password=  "it\'s hunter22"', 'password=  "[MASKED]"'],
    ['password=truehunter', 'password=[MASKED]'],
    ['private-token: Hunter22hunter22: no', 'private-token: [MASKED] no'],
    ['access_token: abc123=xyz', 'access_token: [MASKED]'],
    ['access_token:\n  abcdefgh', 'access_token:\n  [MASKED]'],
    ['password="}hunter22"', 'password="[MASKED]"'],
    ['cookie: none; session=abcdef', 'cookie: [MASKED]'],
    [`Basic ${base64('user:hunter22')}`, 'Basic [MASKED]'],
    ['http://user:hunter22@[::1]:8080/x@y', 'http://user:[MASKED]@[::1]:8080/x@y'],
    [`key\\n${key}`, 'key\\n[MASKED]'],
    ['register --token abcdefgh', 'register --token [MASKED]'],
    ['Bearer abcdefghijklmnop1234', 'Bearer [MASKED]'],
    ['{"Authorization":["Basic dXNlcg=="]}', '{"Authorization":["[MASKED]"]}'],
    ['map[Private-Token:[abcdefgh]]', 'map[Private-Token:[MASKED]'],
    ['Set-Cookie: _gitlab_session=abcdef; path=/', 'Set-Cookie: [MASKED]'],
    ['https://0123456789abcdefghij@git.example.com/a', 'https://[MASKED]@git.example.com/a'],
    ['postgres://app:hun/ter#22@db/app', 'postgres://app:[MASKED]@db/app'],
    ['redirect=https%3A%2F%2Fapp%3Ahunter22%40db', '[MASKED]'],
    ['eyJhbGciOiJ9%2EeyJzdWIiOiI%2Esig', '[MASKED]'],
    ['glpat\\u002dabcdefghij0123456789', '[MASKED]'],
    [Buffer.from(`oauth2:gl${'pat'}-abcdefghij0123456789`).toString('base64'), '[MASKED]'],
    [
      `xxeyJhbGciOiJ9.eyJzdWIiOiI.sig and v1.eyJhbGciOiJ9.eyJzdWIiOiI.`,
      'xx[MASKED] and v1.[MASKED]',
    ],
  ];
  test.each(others)('appears masked: %s', (text, masked) => {
    expect(redact(text)).toBe(masked);
  });

  test.each([...tokens, ...others])('stays the same after a second redaction: %s', (_, masked) => {
    expect(redact(masked)).toBe(masked);
  });

  test.each([
    'https://gitlab.example.com:8443/a@b',
    'commit 0123456789abcdef0123456789abcdef01234567',
    'https://gitlab.example.com/group/subgroup/project/-/jobs/900005',
    '-----BEGIN CERTIFICATE-----',
    'eyJ is how one begins',
    'export HOSTED_RUNNER_GITLAB_TOKEN=…',
    'export API=https://gitlab.example.com/api/v4 TOKEN=$HOSTED_RUNNER_GITLAB_TOKEN',
    'token = (sensitive value)',
    '{"token":"refused","secret":true}',
    'token: refused',
    'the token: it ends on 2026-12-01',
    'PWD=/builds/group/project',
    'https://gitlab.example.com/api/v4/projects/group%2Fproject/variables/GITLAB_TOKEN',
    'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'Basic authentication is not supported',
    'AccessDenied on resource: arn:aws:secretsmanager:eu-west-1:1234:secret:gitlab/runner-1AbCdE because',
    'arn:aws-cn:iam::123456789012:role/Token:session-12345678',
    'arn:aws:elasticloadbalancing:eu-west-1:1:loadbalancer/app/MyLoadBalancerName/50dc6c495c0c',
    'http://[::1]:8080/x@y',
    'token=   status=403 Forbidden',
    'token:   status=403 Forbidden',
    'AWS_SECRET_ACCESS_KEY=  AWS_REGION=eu-west-1',
    'AWS_SECRET_ACCESS_KEY=\nAWS_REGION=eu-west-1',
    'access_token:\nstatus: 403',
    'manage_master_user_password = true',
    'token = null',
    'nextToken=null',
    'client_secret: absent, session_token: present',
    '{"access_token":null,"password":"required"}',
    'GET /x?offline_token=true&x=y',
    'register --token string',
    'Basic runner-1234567',
    'basic t3.medium2',
    'HOSTED_RUNNER_GITLAB_TOKEN: hosted-runners.yml:12:3',
    'Authorization: required',
    'cookie: none',
    'if token == "x1234567"',
    'secret = arn:aws:secretsmanager:eu-west-1:1234:secret:gitlab/runner-1AbCdE',
    '"secret": "arn:aws:secretsmanager:eu-west-1:1234:secret:gitlab/runner-1AbCdE"',
    'token=, status=403',
    'Password=;User=app12345',
    'token="" status=403',
    '(token=) is empty',
    'access_token:\n  status: 403',
    'glrt- tokens are masked',
    'the shard pink-linux',
    'AKIA is a prefix',
  ])('stays unmasked: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
