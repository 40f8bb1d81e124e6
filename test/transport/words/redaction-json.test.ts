import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';

const { redact } = createRedactor();
const secret = 'Hunter22hunter22';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const sayings = [
  `curl --token ${secret}`,
  `curl --token "${secret}"`,
  `token=${secret}`,
  `token => ${secret}`,
  `password = '${secret}'`,
  `password="${secret}"`,
  `{"password":"${secret}"}`,
  `{"access_token": "${secret}", "x": 1}`,
  JSON.stringify(`{"client_secret":"${secret}"}`),
  `private-token: ${secret}`,
  `Authorization: Bearer ${secret}`,
  `{"Authorization":["Bearer ${secret}"]}`,
  `Cookie: a=${secret}; path=/`,
  `Bearer ${secret}`,
  `Basic ${base64(`user:${secret}`)}`,
  `GET https://user:${secret}@host/x?y=z`,
  `https://host/x?token=${secret}&x=y`,
  `glpat-${secret}`,
  base64(`oauth2:glpat-${secret}`),
  `https%3A%2F%2Fapp%3A${secret}%40db`,
  `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  `-----BEGIN PRIVATE KEY-----\n${secret}`,
  `eyJhbGciOiJ9.eyJzdWIiOiI.${secret}`,
];
const around = fc.array(
  fc.constantFrom('"', "'", '\\', '\n', ' ', ',', ': ', '}', 'in line 3', '\u001b[0m', '&', 'ü'),
  { maxLength: 4 },
);
const text = fc
  .tuple(
    around,
    fc.constantFrom(...sayings),
    fc.constantFrom('', ' ', '"', '\\', '\n', "'"),
    around,
  )
  .map(([before, phrase, edge, after]) => [...before, ' ', phrase, edge, ...after].join(''));

describe('a redacted JSON document', () => {
  test('stays valid and holds no secret in its strings', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(0, 2), (message, indent) => {
        const clean = redact(JSON.stringify({ message, other: ['word', 1] }, undefined, indent));
        expect(JSON.parse(clean)).toMatchObject({ other: ['word', 1] });
        expect(clean).not.toContain(secret);
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    'token=',
    'access_token:',
    'password = ',
    'Authorization: ',
    'token="',
    "secret='",
    '--token ',
  ])('stays valid if a string ends behind the name of a secret: %s', (unfinished) => {
    for (const indent of [0, 2]) {
      const value = {
        text: `said ${unfinished}`,
        list: [unfinished, "it's"],
        password: '',
        a: 'b2',
      };
      const clean = JSON.parse(redact(JSON.stringify(value, undefined, indent)));
      expect(Object.keys(clean)).toEqual(Object.keys(value));
    }
  });

  test('does not change when it is redacted again', () => {
    fc.assert(
      fc.property(text, (message) => {
        for (const given of [message, JSON.stringify({ message, other: 1 })])
          expect(redact(redact(given))).toBe(redact(given));
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps the quote behind a value of a response', () => {
    const message = 'bad call "curl --token abcdefgh" in line 3';
    expect(JSON.parse(redact(JSON.stringify({ message })))).toEqual({
      message: 'bad call "curl --token [MASKED]" in line 3',
    });
  });
});
