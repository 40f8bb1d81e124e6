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

const ours = recordText('applied');

function outcomes(...events: readonly (Event | readonly Event[])[]) {
  const { findings } = verifyEventFile(file(run('a', head(), record('applying'), ...events)));
  return findings
    .filter(({ outcome, invariant }) => outcome === 'violated' && /^S(9|13)$/.test(invariant))
    .map(({ invariant }) => invariant);
}

const write = (version: number, value = ours) =>
  effect('parameters.overwrite', [{ name: recordName, value }], { version });
const version = (number: number, value: string) =>
  read('parameters.findVersion', [recordName, number], { value, version: number });
const found = (number: number, value: string) =>
  read('parameters.find', [recordName], { value, version: number });
const success: Event = { kind: 'end', outcome: 'done', exit_code: 0 };
const next = effect('registry.setIntake', ['2', 'open']);

describe('a record whose version is not the next one', () => {
  test('is a foreign write where the run goes on unasked', () => {
    expect(outcomes(write(7), next, success)).toEqual(['S9', 'S13']);
  });

  test('is the same write come twice, where its history says so', () => {
    expect(outcomes(write(7), found(7, ours), version(6, ours), next, success)).toEqual([]);
  });

  test('is the last write come twice, where its history says so', () => {
    expect(outcomes(write(7), version(6, recordText('applying')), next, success)).toEqual([]);
  });

  test('is the last write come twice, where it is read again before its history', () => {
    const last = recordText('applying');
    expect(outcomes(write(7), found(7, ours), version(6, last), next, success)).toEqual([]);
    expect(outcomes(write(7), found(7, last), version(6, ours), next, success)).toEqual([
      'S9',
      'S13',
    ]);
  });

  test('is a foreign write where its history has another text', () => {
    expect(outcomes(write(7), version(6, recordText('promoted')), next, success)).toEqual([
      'S9',
      'S13',
    ]);
  });

  test('that is read again with our own text is no foreign write', () => {
    expect(outcomes(write(6), found(7, ours), next, success)).toEqual([]);
    expect(outcomes(write(6), found(7, recordText('promoted')), next, success)).toEqual(['S9']);
  });
});
