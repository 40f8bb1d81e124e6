import { expect, test } from '@jest/globals';
import { isMadeByOneOf, registrationMark } from '../../../src/domain/deployment/onboarding.ts';
import { withoutPauseMark, withPauseMark } from '../../../src/domain/drain/pause-mark.ts';
import { recordAt } from '../samples.ts';

const pause = { run: '101-5001', at: '2026-11-28T10:00:00Z' };
const line =
  'hosted-runner-deploy: paused by run 101-5001 at 2026-11-28T10:00:00Z. Do not resume by hand.';
const older = line.replace('5001', '4711-rollback');
/** An empty line and the mark. */
const added = `\n\n${line}`;

test.each([
  ['one line', 'for the data team'],
  ['several lines', 'a\n\n- b\n- c'],
  ['CRLF', 'a\r\nb\r\n'],
  ['spaces at its end', 'a  \n  '],
  ['a line feed at its end', 'a\n'],
  ['emoji', '🚧🚧'],
  ['the mark as a quote', `> ${line}\nwhat is this?`],
  ['the mark within a line', `it says "${line}"`],
  ['nothing', ''],
])('a note with %s is the same after the pause', (_, note) => {
  expect(withoutPauseMark(note)).toBe(note);
  const marked = withPauseMark(note, pause);
  expect(marked).toBe(`${note}${added}`);
  expect(withoutPauseMark(marked ?? '')).toBe(note);
});

test.each([
  ['in the middle', `a${added}\nb`, 'a\nb'],
  ['at the beginning', `${line}\nb`, '\nb'],
  ['alone', line, ''],
  ['twice', `a\n\n${older}${added}`, 'a'],
  ['twice, without other text', `${older}${added}`, ''],
  ['of GitHub Actions, with spaces at its end', `a\n\n${line.replace('101', 'o/my_r')} \t`, 'a'],
  ['in a note that a form has saved with CRLF', `a\r\n\r\n${line}\r\nb`, 'a\r\nb'],
])('a mark is removed %s', (_, marked, note) => {
  expect(withoutPauseMark(marked)).toBe(note);
});

test('a note has the mark of the last pause only', () => {
  expect(withPauseMark(`a\n\n${older}`, pause)).toBe(`a${added}`);
});

test('a note gets no mark if GitLab, which counts code points, would refuse it', () => {
  const headroom = 1024 - added.length;
  expect(withPauseMark('🚧'.repeat(headroom), pause)).toBe(`${'🚧'.repeat(headroom)}${added}`);
  expect(withPauseMark('a'.repeat(headroom + 1), pause)).toBeUndefined();
});

test.each([
  ['1-200', true],
  ['1-201', false],
])('deployment 1-200 has made a runner with the mark of %s: %s', (id, isMade) => {
  const note = `${registrationMark(id)}${added}`;
  expect(isMadeByOneOf(recordAt(), { note })).toBe(isMade);
});
