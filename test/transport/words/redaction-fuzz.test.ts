import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { quote } from '../../../src/adapters/transport/words/quote.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { presentable, sanitizeLine } from '../../../src/adapters/transport/words/sanitize.ts';

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const letters = (alphabet: string, minLength: number, maxLength = minLength) =>
  fc
    .array(fc.constantFrom(...alphabet), { minLength, maxLength })
    .map((characters) => characters.join(''));
const behind = (prefixes: readonly string[], rest: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom(...prefixes), rest).map((parts) => parts.join(''));

/** Tokens as GitLab, GitHub and AWS give them out. */
const token = fc.oneof(
  behind(
    [
      'glrt-',
      'glrt-t1_',
      'glrtr-',
      'glpat-',
      'glptt-',
      'gldt-',
      'glcbt-',
      'glcbt-64_',
      'GR1348941',
    ],
    letters(`${alphanumeric}_-`, 19, 27).map((rest) => `${rest}x`),
  ),
  behind(['ghs_', 'ghp_', 'gho_', 'ghu_', 'ghr_', 'github_pat_'], letters(alphanumeric, 36)),
  behind(['AKIA', 'ASIA', 'A3TX'], letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)),
);
/** What others write right beside a token: nothing, a word, an address, brackets. */
const neighbour = fc.oneof(
  fc.constantFrom(
    '',
    'http://host',
    'Runner "https://gitlab.example.com',
    ' ',
    '"',
    '[31m',
    '=',
    ',',
  ),
  letters(`${alphanumeric}_-./:`, 0, 12),
);
/** Characters that no part of a token is made of. */
const border = fc.constantFrom(' ', '"', '\n', '…', ')', '<', '/');

const bare = createRedactor();
const knowing = (...secrets: string[]) => {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
};

describe('a token that nobody told us of', () => {
  test('is masked whatever stands in front of it', () => {
    fc.assert(
      fc.property(neighbour, token, border, neighbour, (before, secret, edge, after) => {
        expect(bare.redact(`${before}${secret}${edge}${after}`)).not.toContain(secret.slice(-9));
      }),
    );
  });

  test('is masked whatever is glued to its end', () => {
    fc.assert(
      fc.property(neighbour, token, letters(alphanumeric, 0, 8), (before, secret, after) => {
        expect(bare.redact(`${before}${secret}${after}`)).not.toContain(secret.slice(-9));
      }),
    );
  });

  test('is masked behind another one', () => {
    fc.assert(
      fc.property(fc.array(token, { minLength: 2, maxLength: 4 }), (secrets) => {
        const masked = bare.redact(secrets.join(''));
        for (const secret of secrets) expect(masked).not.toContain(secret.slice(-9));
      }),
    );
  });

  test('is masked in a text that is made safe to print, also with colours in the middle of it', () => {
    fc.assert(
      fc.property(neighbour, token, fc.nat(), (before, secret, at) => {
        const cut = at % secret.length;
        const coloured = `${before}${secret.slice(0, cut)}\u001b[0;33m${secret.slice(cut)} tail`;
        expect(presentable(coloured, bare.redact)).not.toContain(secret.slice(-9));
        expect(quote(coloured, bare)).not.toContain(secret.slice(-9));
      }),
    );
  });

  test.each([
    [
      'Runner http://hostglrt-abcdefghij0123456789 is not healthy',
      'Runner http://host[MASKED] is not healthy',
    ],
    ['acmeglrt-t1_abcdefghij0123456789', 'acme[MASKED]'],
    ['xglrtr-abcdefghij0123456789', 'x[MASKED]'],
    ['tokenghs_16C7e42F292c6912E7710c838347Ae178B4a', 'token[MASKED]'],
    ['ghs_12345_eyJhbGciOi.JIUzI1NiJ9.sig-nature', '[MASKED]'],
    ['xA3TXABCDEFGHIJKLMNOPx', 'x[MASKED]x'],
    ['glrt-ab', '[MASKED]'],
  ])('%s', (text, masked) => {
    expect(bare.redact(text)).toBe(masked);
  });

  test.each([
    'only glrt- tokens',
    'the highs_and_lows',
    'GR1348941 is a prefix',
    'a github_pat_ token',
  ])('is not seen in: %s', (text) => {
    expect(bare.redact(text)).toBe(text);
  });
});

/** With characters that every promised encoding treats in its own way. */
const secretText = letters(`${alphanumeric}/+=?&<>"'%\\ü `, 12, 40)
  .map((text) => text.trim())
  .filter((text) => text.length >= 12);
const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ['plain', (text) => text],
  ['hex', (text) => Buffer.from(text).toString('hex')],
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64url', (text) => Buffer.from(text).toString('base64url')],
  ['URL', encodeURIComponent],
  ['JSON', (text) => JSON.stringify(text).slice(1, -1)],
];

describe('a secret that we were told of', () => {
  test.each(encodings)('is masked wherever it stands: %s', (_, encode) => {
    fc.assert(
      fc.property(neighbour, secretText, neighbour, (before, secret, after) => {
        // Padding is a part of base64, and one more sign of it looks like padding.
        fc.pre(!after.startsWith('='));
        const masked = knowing(secret).redact(`${before}${encode(secret)}${after}`);
        expect(masked).toBe(`${before}[MASKED]${after}`);
      }),
    );
  });

  test.each(encodings)('is masked as far as it stands before a cut: %s', (_, encode) => {
    fc.assert(
      fc.property(
        secretText,
        fc.nat(),
        fc.constantFrom('', '…', '\nnext', '… and'),
        (secret, at, mark) => {
          const form = encode(secret);
          const length = 8 + (at % Math.max(1, form.length - 8));
          const masked = knowing(secret).redact(`: ${form.slice(0, length)}${mark}`);
          expect(masked).not.toContain(form.slice(0, 8));
        },
      ),
    );
  });

  test('is masked where its text was cut before it came to us', () => {
    fc.assert(
      fc.property(
        neighbour,
        secretText,
        fc.integer({ min: 10, max: 60 }),
        (before, secret, most) => {
          const cut = sanitizeLine(`${before}${secret} and more words`, most);
          if (!cut.includes(secret.slice(0, 8))) return;
          expect(knowing(secret).redact(cut)).not.toContain(secret.slice(0, 8));
        },
      ),
    );
  });

  test('is masked where its spaces were drawn together, also before a cut', () => {
    const redactor = knowing('AAAAAAA  AAAAAAAAAAAA');
    expect(redactor.redact('AAAAAAA A…')).toBe('[MASKED]…');
    expect(redactor.redact(': AAAAAAA AAAAAAAAAAAA.')).toBe(': [MASKED].');
  });

  test('of many lines is masked where it was made one', () => {
    const key = '-----BEGIN KEY-----\nabcd\nefgh\n-----END KEY-----\n';
    expect(knowing(key).redact(sanitizeLine(`read ${key} of it`, 200))).toBe('read [MASKED] of it');
  });

  test('of which seven characters are left is a word like any other', () => {
    expect(knowing('opensesame-of-old').redact('the word opense… and opensesa…')).toBe(
      'the word opense… and [MASKED]…',
    );
  });

  test('of which half stands in the middle of a line is a word like any other', () => {
    const text = 'said opensesame-of and more';
    expect(knowing('opensesame-of-old').redact(text)).toBe(text);
  });
});
