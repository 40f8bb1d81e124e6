import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parsePlan } from '../../../src/adapters/terraform/plan-json.ts';
import { importsOf, withImports } from '../../../src/adapters/terraform/tfstate/adoption.ts';
import type { Workplace } from '../../../src/adapters/terraform/workplace.ts';
import type { PlanPurpose } from '../../../src/domain/plan/plan-guard.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { collect, openWorkshop, type Workshop } from '../workshop.ts';
import { captured, type RawPlan, refusalsOf, withChange } from './plan-verdicts.ts';

const address = 'module.runner_manager.aws_iam_role.runner';
const id = 'pink-linux_runner-manager';
const tags = { 'hosted-runner:stack': 'linux', 'hosted-runner:shard': 'pink' };
const adopt = [{ address, id }];

function adoption({
  before = { name: id, tags },
  actions = ['no-op'],
  importing = { id },
}: {
  before?: unknown;
  actions?: string[];
  importing?: unknown;
}): RawPlan {
  const type = 'aws_iam_role';
  return withChange({ address, type, actions, before, after: { name: id, tags }, importing });
}

describe('the check of an import', () => {
  const asGroup = Object.entries(tags).map(([key, value]) => ({ key, value }));

  test.each<[string, RawPlan]>([
    ['a resource with exactly the tags and no change', adoption({})],
    ['a resource that changes in place', adoption({ actions: ['update'] })],
    ['a resource with additional tags', adoption({ before: { tags: { ...tags, team: 'a' } } })],
    ['a resource with the tags of an Auto Scaling group', adoption({ before: { tag: asGroup } })],
  ])('accepts %s', (_name, plan) => {
    expect(refusalsOf(plan, 'provision', {}, adopt)).toEqual([]);
  });

  const untagged = `${id} exists, but without exactly the tags hosted-runner:stack=linux and hosted-runner:shard=pink`;

  test.each<[string, RawPlan, string]>([
    ['a resource without a tag attribute', adoption({ before: { name: id } }), untagged],
    ['a resource whose tags are null', adoption({ before: { tags: null } }), untagged],
    [
      'a resource without the shard tag',
      adoption({ before: { tags: { 'hosted-runner:stack': 'linux' } } }),
      untagged,
    ],
    [
      'a resource of another stack',
      adoption({ before: { tags: { ...tags, 'hosted-runner:stack': 'linux-large' } } }),
      untagged,
    ],
    [
      'a resource of the other shard',
      adoption({ before: { tags: { ...tags, 'hosted-runner:shard': 'purple' } } }),
      untagged,
    ],
    [
      'a resource that would be rebuilt',
      adoption({ actions: ['delete', 'create'] }),
      'it would be adopted only to be rebuilt',
    ],
    ['a different id than requested', adoption({ importing: { id: 'admin' } }), 'it is imported'],
    ['an import without an id', adoption({ importing: { identity: {} } }), 'it is imported'],
  ])('refuses %s', (_name, plan, reason) => {
    const actions = plan.resource_changes?.at(-1)?.change.actions.join(', ');
    expect(refusalsOf(plan, 'provision', {}, adopt)).toEqual([
      `${address} | ${actions} | ${reason}`,
    ]);
  });

  test.each<[string, PlanPurpose]>([
    ['no import was requested', 'provision'],
    ['the plan is a destruction', 'cleanup'],
  ])('refuses any import if %s', (_name, purpose) => {
    const plan = { ...adoption({}) };
    plan.resource_changes = plan.resource_changes?.slice(-1) ?? [];
    expect(refusalsOf(plan, purpose)).toEqual([`${address} | no-op | it is imported`]);
  });
});

/**
 * Stand-in for Terraform that plans a file's content and records the import blocks. Its first apply
 * fails because a name is taken.
 */
const standIn = `#!/bin/sh
case "$1" in
  version) echo '{"terraform_version": "1.9.0"}' ;;
  plan) cat hosted-runner-adoption.*.tf > seen 2> /dev/null
    for word; do case "$word" in -out=*) echo saved > "\${word#-out=}" ;; esac; done ;;
  show) cat plan.json ;;
  apply) [ -e taken.json ] || exit 0; cat taken.json; rm taken.json; exit 1 ;;
esac
`;

function diagnostic(at: string, summary: string): string {
  const fields = { severity: 'error', summary, detail: '', address: at };
  return `${JSON.stringify({ type: 'diagnostic', diagnostic: fields })}\n`;
}

const pink = stackShard('pink', 'linux');

describe('an apply that finds a name already in use', () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = openWorkshop();
    mkdirSync(join(workshop.folder, 'bin'));
    workshop.write('bin/terraform', standIn);
    chmodSync(join(workshop.folder, 'bin/terraform'), 0o755);
    show(withRole(captured('first-build')));
  });
  afterEach(() => workshop.close());

  function withRole(plan: RawPlan): RawPlan {
    const change = withChange({ address, type: 'aws_iam_role', after: { name: id, tags } });
    plan.resource_changes?.push(...(change.resource_changes ?? []).slice(-1));
    return plan;
  }
  const show = (plan: RawPlan) => workshop.write('plan.json', JSON.stringify(plan));
  const open = () =>
    workshop.open({
      settings: { backendConfig: [], workspace: '{runner_name}-{shard}' },
      environment: { PATH: `${workshop.folder}/bin:${process.env['PATH'] ?? ''}` },
    });
  const written = () => readdirSync(workshop.folder).filter((name) => /adoption/.test(name));

  async function meet(...diagnostics: string[]) {
    workshop.write('taken.json', diagnostics.join(''));
    const driver = open();
    return (await collect(driver.apply(pink, await driver.plan(pink)))).at(-1);
  }

  test('reports the id for an import', async () => {
    const end = await meet(diagnostic(address, 'creating IAM Role: EntityAlreadyExists: x'));
    expect(end).toMatchObject({ kind: 'taken', names: adopt });
    expect(end).toMatchObject({ error: { code: 'TerraformNameTaken' } });
  });

  test.each([
    ['aws_launch_template', 'InvalidLaunchTemplateName.AlreadyExistsException', 'launch_template'],
    ['aws_security_group', 'InvalidGroup.Duplicate', 'security_group'],
    ['aws_vpc_security_group_egress_rule', 'InvalidPermission.Duplicate', 'security_group_rule'],
    ['aws_vpc_security_group_ingress_rule', 'InvalidPermission.Duplicate', 'security_group_rule'],
  ])('reports the Name tag that finds %s, which is imported by an id', async (type, code, kind) => {
    const [at, Name] = [`module.x.${type}.x`, 'pink-linux_x'];
    show(withChange({ address: at, type, after: { name: Name, tags: { ...tags, Name } } }));
    expect(await meet(diagnostic(at, `creating it: ${code}: x`))).toMatchObject({
      kind: 'taken',
      names: [{ address: at, kind, name: Name }],
    });
  });

  test.each([
    ['its resource type is unknown', 'terraform_data.manager', 'EntityAlreadyExists'],
    ['its address is not in the plan', 'aws_iam_role.other', 'EntityAlreadyExists'],
  ])('ends in an error if %s', async (_name, at, words) => {
    await expect(meet(diagnostic(at, words))).rejects.toMatchObject({ code: 'TerraformNameTaken' });
  });

  test('ends in the error of another failure, which takes precedence', async () => {
    const denied = diagnostic('aws_x.y', 'AccessDenied: no');
    await expect(meet(diagnostic(address, 'EntityAlreadyExists'), denied)).rejects.toMatchObject({
      code: 'TerraformDenied',
    });
  });

  test('causes a plan with an import block, which exists only during the plan', async () => {
    const driver = open();
    show(adoption({}));
    expect(await driver.plan(pink, { adopt })).toMatchObject({ kind: 'changes' });
    expect(readFileSync(join(workshop.folder, 'seen'), 'utf8')).toBe(
      `import {\n  to = ${address}\n  id = "${id}"\n}\n`,
    );
    expect(written()).toEqual([]);
    show(adoption({ before: { name: id } }));
    await expect(driver.plan(pink, { adopt })).rejects.toMatchObject({ code: 'PlanRefused' });
    expect(written()).toEqual([]);
  });

  test('causes a plan that is not empty if only its import remains', async () => {
    const plan = { ...captured('no-change'), applyable: true };
    plan.resource_changes = adoption({}).resource_changes?.slice(-1) ?? [];
    show(plan);
    expect(await open().plan(pink, { adopt })).toMatchObject({ kind: 'changes' });
  });

  test('leaves no import block to the next run if it is killed during the plan', async () => {
    workshop.write('hosted-runner-adoption.linux-pink.c29tZWJvZHk.tf', 'import {}');
    workshop.write('hosted-runner-adoption.linux-large-pink.c29tZWJvZHk.tf', 'import {}');
    await open().exists(stackShard('purple', 'linux'));
    // Another stack's file stays, unless its run is proven dead.
    expect(written()).toEqual(['hosted-runner-adoption.linux-large-pink.c29tZWJvZHk.tf']);
    expect(existsSync(join(workshop.folder, 'main.tf'))).toBe(true);
  });
});

describe('the importable resources of a plan', () => {
  const found = (actions: string[], name: string) => {
    const type = 'aws_iam_role';
    const plan = withChange({ address, type, actions, after: { name, tags } });
    return [...importsOf(parsePlan(JSON.stringify(plan))).keys()];
  };

  test('include created resources, and none that is replaced, changed or read', () => {
    expect(found(['create'], id)).toEqual([address]);
    for (const actions of [['delete', 'create'], ['create', 'delete'], ['update'], ['no-op']])
      expect(found(actions, id)).toEqual([]);
  });

  test.each(['', 'a"\n}', `\${file("/etc/passwd")}`, 'a b', 'a\\'])(
    'exclude a name that is no AWS name and could break out of the file: %j',
    async (odd) => {
      expect(found(['create'], odd)).toEqual([]);
      const place = { directory: '/nowhere', shard: pink } as unknown as Workplace;
      const names = [{ address, id: odd }];
      await expect(
        withImports(place, { names, self: 'here/1' }, async () => 'planned'),
      ).rejects.toThrow('an id that is not an AWS id');
    },
  );
});
