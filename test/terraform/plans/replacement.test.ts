import { describe, expect, test } from '@jest/globals';
import { parsePlan } from '../../../src/adapters/terraform/plan-json.ts';
import { judgeReplacement } from '../../../src/domain/plan/plan-replace.ts';
import { captured } from './plan-verdicts.ts';

function judge(plan: string, ...named: string[]) {
  const { changes } = parsePlan(JSON.stringify(captured(plan)));
  return judgeReplacement(changes, named);
}

function refusals(plan: string, ...named: string[]): string[] {
  return judge(plan, ...named).refusals.map(({ address, reason }) => `${address}: ${reason}`);
}

const ownReason =
  'it would also be replaced, for another reason: name it with --address too, or let provision update it';

describe('a requested replacement', () => {
  test('may replace only the named address', () => {
    expect(refusals('replace-manager', 'terraform_data.manager')).toEqual([]);
  });

  test('creates the resource if it is already gone', () => {
    expect(refusals('first-build', 'terraform_data.manager')).toEqual([]);
  });

  test('causes a refusal for another address than the named one', () => {
    expect(refusals('replace-manager', 'terraform_data.network')).toEqual([
      'terraform_data.network: no resource with this address would be rebuilt',
      `terraform_data.manager: ${ownReason}`,
    ]);
  });

  test('causes a refusal for an address that does not exist', () => {
    expect(refusals('no-change', 'terraform_data.elsewhere')).toEqual([
      'terraform_data.elsewhere: no resource with this address would be rebuilt',
    ]);
  });

  test('causes a refusal for an ambiguous address', () => {
    expect(refusals('no-change', 'terraform_data.alarm')).toEqual([
      'terraform_data.alarm: it names no single resource; available: terraform_data.alarm[0], terraform_data.alarm[1]',
    ]);
  });

  test('includes dependent resources that cannot change in place', () => {
    expect(judge('replace-cascade', 'terraform_data.manager')).toEqual({
      refusals: [],
      dependents: ['terraform_data.attachment'],
    });
  });

  test('causes a refusal if a dependent resource is replaced for another reason, too', () => {
    expect(refusals('replace-cascade-and-revision', 'terraform_data.manager')).toEqual([
      `terraform_data.attachment: ${ownReason}`,
    ]);
    const both = ['terraform_data.manager', 'terraform_data.attachment'];
    expect(refusals('replace-cascade-and-revision', ...both)).toEqual([]);
  });

  test('takes one resource of the reference module, and nothing with it', () => {
    const manager = 'module.runner_manager.module.ec2[0].aws_instance.runner_manager';
    expect(judge('aws-replace-manager', manager)).toEqual({ refusals: [], dependents: [] });
  });
});
