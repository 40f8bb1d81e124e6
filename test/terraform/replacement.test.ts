import { describe, expect, test } from '@jest/globals';
import { judgeReplacement } from '../../src/domain/plan-replace.ts';
import { parsePlan } from '../../src/terraform/plan-json.ts';
import { captured } from './judging.ts';

function refusals(plan: string, ...named: string[]): string[] {
  const { changes } = parsePlan(JSON.stringify(captured(plan)));
  return judgeReplacement(changes, named).map(({ address, reason }) => `${address}: ${reason}`);
}

describe('a replacement', () => {
  test('of the named address alone is accepted', () => {
    expect(refusals('replace-manager', 'terraform_data.manager')).toEqual([]);
  });

  test('of what is gone already only creates it', () => {
    expect(refusals('first-build', 'terraform_data.manager')).toEqual([]);
  });

  test('of another address than the named one is refused', () => {
    expect(refusals('replace-manager', 'terraform_data.network')).toEqual([
      'terraform_data.network: nothing of this address would be built again',
      'terraform_data.manager: it would be replaced as well, and was not named',
    ]);
  });

  test('of an address that nothing has is refused', () => {
    expect(refusals('no-change', 'terraform_data.elsewhere')).toEqual([
      'terraform_data.elsewhere: nothing of this address would be built again',
    ]);
  });

  test('of an address that means two is refused', () => {
    expect(refusals('no-change', 'terraform_data.alarm')).toEqual([
      'terraform_data.alarm: it names no single resource; there is terraform_data.alarm[0], terraform_data.alarm[1]',
    ]);
  });
});
