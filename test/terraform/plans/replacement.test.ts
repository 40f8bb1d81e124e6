import { describe, expect, test } from '@jest/globals';
import { parsePlan } from '../../../src/adapters/terraform/plan-json.ts';
import { judgeReplacement } from '../../../src/domain/plan/plan-replace.ts';
import { captured } from './judging.ts';

function judge(plan: string, ...named: string[]) {
  const { changes } = parsePlan(JSON.stringify(captured(plan)));
  return judgeReplacement(changes, named);
}

function refusals(plan: string, ...named: string[]): string[] {
  return judge(plan, ...named).refusals.map(({ address, reason }) => `${address}: ${reason}`);
}

const ownReason =
  'it would be replaced as well, for a reason of its own: name it by --address, too, or let provision bring it up to date';

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
      `terraform_data.manager: ${ownReason}`,
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

  test('takes with it what stands on the named one and cannot follow it in place', () => {
    expect(judge('replace-cascade', 'terraform_data.manager')).toEqual({
      refusals: [],
      dependents: ['terraform_data.attachment'],
    });
  });

  test('is refused where what stands on it would be replaced for another reason, too', () => {
    expect(refusals('replace-cascade-and-revision', 'terraform_data.manager')).toEqual([
      `terraform_data.attachment: ${ownReason}`,
    ]);
    const both = ['terraform_data.manager', 'terraform_data.attachment'];
    expect(refusals('replace-cascade-and-revision', ...both)).toEqual([]);
  });

  test('of the reference module takes one resource, and nothing with it', () => {
    const manager = 'module.runner_manager.module.ec2[0].aws_instance.runner_manager';
    expect(judge('aws-replace-manager', manager)).toEqual({ refusals: [], dependents: [] });
  });
});
