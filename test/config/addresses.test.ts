import { describe, expect, test } from '@jest/globals';
import { readGitLabUrl } from '../../src/domain/keys/gitlab-url.ts';

describe('plain http, which is for loopback only', () => {
  test.each([
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://127.evil.example:8080/gitlab',
  ])('causes an error for %s', (text) => {
    expect(readGitLabUrl(text)).toEqual({ kind: 'refused', reason: 'its host is not loopback' });
  });

  test.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080/gitlab'])(
    'works for %s',
    (text) => {
      expect(readGitLabUrl(text)).toEqual({ kind: 'url', url: text, isLoopback: true });
    },
  );
});
