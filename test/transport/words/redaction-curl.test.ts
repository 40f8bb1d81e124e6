import { expect, test } from '@jest/globals';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';

test.each([
  ['curl -s -u person:hunter22 https://x', 'curl -s -u person:[MASKED] https://x'],
  ["curl --user 'person:hunter22' x", "curl --user 'person:[MASKED]' x"],
  ['curl --proxy-user=person:hunter22', 'curl --proxy-user=person:[MASKED]'],
  ['curl -uperson:hunter22 x', 'curl -uperson:[MASKED] x'],
  ['+ curl -U "p:hunter22" x', '+ curl -U "p:[MASKED]" x'],
  ['curl -U a:hunter22 -u b:hunter23 x', 'curl -U a:[MASKED] -u b:[MASKED] x'],
  ['curl -u "$USER:$PASSWORD" x', 'curl -u "$USER:$PASSWORD" x'],
  ['docker run -u 1000:1000 x', 'docker run -u 1000:1000 x'],
])('a password in the arguments of curl is masked: %s', (text, masked) => {
  expect(createRedactor().redact(text)).toBe(masked);
});
