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

/** Tokens in the formats of GitLab, GitHub and AWS. */
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
/** Text beside a token: nothing, a word, an address, brackets. */
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
/** Characters that occur in no token. */
const border = fc.constantFrom(' ', '"', '\n', '…', ')', '<', '/');

const bare = createRedactor();
const knowing = (...secrets: string[]) => {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
};

describe('an unregistered token', () => {
  test('stays masked after any text', () => {
    fc.assert(
      fc.property(neighbour, token, border, neighbour, (before, secret, edge, after) => {
        expect(bare.redact(`${before}${secret}${edge}${after}`)).not.toContain(secret.slice(-9));
      }),
    );
  });

  test('stays masked before any text', () => {
    fc.assert(
      fc.property(neighbour, token, letters(alphanumeric, 0, 8), (before, secret, after) => {
        expect(bare.redact(`${before}${secret}${after}`)).not.toContain(secret.slice(-9));
      }),
    );
  });

  test('stays masked behind another token', () => {
    fc.assert(
      fc.property(fc.array(token, { minLength: 2, maxLength: 4 }), (secrets) => {
        const masked = bare.redact(secrets.join(''));
        for (const secret of secrets) expect(masked).not.toContain(secret.slice(-9));
      }),
    );
  });

  test('stays masked in sanitized text, even with colours inside', () => {
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
  ])('stays masked: %s', (text, masked) => {
    expect(bare.redact(text)).toBe(masked);
  });

  test.each([
    'only glrt- tokens',
    'the highs_and_lows',
    'GR1348941 is a prefix',
    'a github_pat_ token',
  ])('the redaction keeps an ordinary text: %s', (text) => {
    expect(bare.redact(text)).toBe(text);
  });
});

/** Secret with characters that each promised encoding treats differently. */
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

describe('a registered secret in any text', () => {
  test.each(encodings)('stays masked everywhere: %s', (_, encode) => {
    fc.assert(
      fc.property(neighbour, secretText, neighbour, (before, secret, after) => {
        // Padding is part of base64, and an additional `=` resembles it.
        fc.pre(!after.startsWith('='));
        const masked = knowing(secret).redact(`${before}${encode(secret)}${after}`);
        expect(masked).toBe(`${before}[MASKED]${after}`);
      }),
    );
  });

  test.each(encodings)('stays masked up to a cut: %s', (_, encode) => {
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

  test('stays masked if its text was cut before the redaction', () => {
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

  test('stays masked if its spaces were collapsed, even before a cut', () => {
    const redactor = knowing('AAAAAAA  AAAAAAAAAAAA');
    expect(redactor.redact('AAAAAAA A…')).toBe('[MASKED]…');
    expect(redactor.redact(': AAAAAAA AAAAAAAAAAAA.')).toBe(': [MASKED].');
  });

  test('stays masked if its many lines were joined into one', () => {
    const key = '-----BEGIN KEY-----\nabcd\nefgh\n-----END KEY-----\n';
    expect(knowing(key).redact(sanitizeLine(`read ${key} of it`, 200))).toBe('read [MASKED] of it');
  });

  test('counts as ordinary text if seven characters are left', () => {
    expect(knowing('opensesame-of-old').redact('the word opense… and opensesa…')).toBe(
      'the word opense… and [MASKED]…',
    );
  });

  test('counts as ordinary text if half of it stands in the middle of a line', () => {
    const text = 'said opensesame-of and more';
    expect(knowing('opensesame-of-old').redact(text)).toBe(text);
  });
});
