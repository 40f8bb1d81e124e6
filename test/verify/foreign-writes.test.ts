import { describe, expect, test } from '@jest/globals';
import { verifyEventFile } from '../../src/verify/verify.ts';
import {
  type Event,
  effect,
  file,
  head,
  read,
  record,
  recordName,
  recordText,
  run,
} from './lines.ts';

const ownText = recordText('applied');

function outcomes(...events: readonly (Event | readonly Event[])[]) {
  const { findings } = verifyEventFile(file(run('a', head(), record('applying'), ...events)));
  return findings
    .filter(({ outcome, invariant }) => outcome === 'violated' && /^S(9|13)$/.test(invariant))
    .map(({ invariant }) => invariant);
}

const write = (version: number, value = ownText) =>
  effect('parameters.overwrite', [{ name: recordName, value }], { version });
const version = (number: number, value: string) =>
  read('parameters.findVersion', [recordName, number], { value, version: number });
const found = (number: number, value: string) =>
  read('parameters.find', [recordName], { value, version: number });
const success: Event = { kind: 'end', outcome: 'done', exit_code: 0 };
const next = effect('registry.setIntake', ['2', 'open']);

describe('a record whose version is not the next one', () => {
  test('counts as a foreign write if the run continues without a check', () => {
    expect(outcomes(write(7), next, success)).toEqual(['S9', 'S13']);
  });

  test('counts as the same write twice if its history shows it', () => {
    expect(outcomes(write(7), found(7, ownText), version(6, ownText), next, success)).toEqual([]);
  });

  test('counts as the last write twice if its history shows it', () => {
    expect(outcomes(write(7), version(6, recordText('applying')), next, success)).toEqual([]);
  });

  test('counts as the last write twice if it is read again before its history', () => {
    const last = recordText('applying');
    expect(outcomes(write(7), found(7, ownText), version(6, last), next, success)).toEqual([]);
    expect(outcomes(write(7), found(7, last), version(6, ownText), next, success)).toEqual([
      'S9',
      'S13',
    ]);
  });

  test('counts as a foreign write if its history has another text', () => {
    expect(outcomes(write(7), version(6, recordText('promoted')), next, success)).toEqual([
      'S9',
      'S13',
    ]);
  });

  test('does not count as a foreign write if it is read again with the text of the run', () => {
    expect(outcomes(write(6), found(7, ownText), next, success)).toEqual([]);
    expect(outcomes(write(6), found(7, recordText('promoted')), next, success)).toEqual(['S9']);
  });
});
