import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parsePlan } from '../../../src/adapters/terraform/plan-json.ts';
import { importsOf, withImports } from '../../../src/adapters/terraform/tfstate/adoption.ts';
import type { Workplace } from '../../../src/adapters/terraform/workplace.ts';
import type { PlanPurpose } from '../../../src/domain/plan/plan-guard.ts';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { collect, openWorkshop, type Workshop } from '../workshop.ts';
import { captured, type RawPlan, refusalsOf, withChange } from './judging.ts';

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

describe('an import is judged:', () => {
  const asGroup = Object.entries(tags).map(([key, value]) => ({ key, value }));

  test.each<[string, RawPlan]>([
    ['what carries exactly the tags and stays as it is', adoption({})],
    ['what is changed in place', adoption({ actions: ['update'] })],
    ['more tags than ours', adoption({ before: { tags: { ...tags, team: 'a' } } })],
    ['tags as an Auto Scaling group has them', adoption({ before: { tag: asGroup } })],
  ])('accepted is %s', (_name, plan) => {
    expect(refusalsOf(plan, 'provision', {}, adopt)).toEqual([]);
  });

  const untagged = `${id} exists, and without exactly the tags hosted-runner:stack=linux and hosted-runner:shard=pink`;

  test.each<[string, RawPlan, string]>([
    ['what has no tags', adoption({ before: { name: id } }), untagged],
    ['what has no tags at all', adoption({ before: { tags: null } }), untagged],
    [
      "what lacks the shard's",
      adoption({ before: { tags: { 'hosted-runner:stack': 'linux' } } }),
      untagged,
    ],
    [
      "another stack's",
      adoption({ before: { tags: { ...tags, 'hosted-runner:stack': 'linux-large' } } }),
      untagged,
    ],
    [
      "the other shard's",
      adoption({ before: { tags: { ...tags, 'hosted-runner:shard': 'purple' } } }),
      untagged,
    ],
    [
      'what would be built anew',
      adoption({ actions: ['delete', 'create'] }),
      'it would be adopted only to be built anew',
    ],
    [
      'another thing than was asked for',
      adoption({ importing: { id: 'admin' } }),
      'it is imported',
    ],
    ['one without an id', adoption({ importing: { identity: {} } }), 'it is imported'],
  ])('refused is %s', (_name, plan, reason) => {
    const actions = plan.resource_changes?.at(-1)?.change.actions.join(', ');
    expect(refusalsOf(plan, 'provision', {}, adopt)).toEqual([
      `${address} | ${actions} | ${reason}`,
    ]);
  });

  test.each<[string, PlanPurpose]>([
    ['nothing was asked for', 'provision'],
    ['it is a destruction', 'cleanup'],
  ])('refused is any import where %s', (_name, purpose) => {
    const plan = { ...adoption({}) };
    plan.resource_changes = plan.resource_changes?.slice(-1) ?? [];
    expect(refusalsOf(plan, purpose)).toEqual([`${address} | no-op | it is imported`]);
  });
});

/** Plans what a file says and notes the import blocks that it sees; its first apply finds a name taken. */
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
  const said = { severity: 'error', summary, detail: '', address: at };
  return `${JSON.stringify({ type: 'diagnostic', diagnostic: said })}\n`;
}

const pink = stackShard('pink', 'linux');

describe('an apply that finds a name taken', () => {
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

  async function meet(...said: string[]) {
    workshop.write('taken.json', said.join(''));
    const driver = open();
    return (await collect(driver.apply(pink, await driver.plan(pink)))).at(-1);
  }

  test('tells as what it can be imported', async () => {
    const end = await meet(diagnostic(address, 'creating IAM Role: EntityAlreadyExists: x'));
    expect(end).toMatchObject({ kind: 'taken', names: adopt });
    expect(end).toMatchObject({ error: { code: 'TerraformNameTaken' } });
  });

  test.each([
    ['aws_launch_template', 'InvalidLaunchTemplateName.AlreadyExistsException', 'launch_template'],
    ['aws_security_group', 'InvalidGroup.Duplicate', 'security_group'],
    ['aws_vpc_security_group_egress_rule', 'InvalidPermission.Duplicate', 'security_group_rule'],
    ['aws_vpc_security_group_ingress_rule', 'InvalidPermission.Duplicate', 'security_group_rule'],
  ])(
    'tells by which Name tag %s is found, which is imported by an id',
    async (type, code, kind) => {
      const [at, Name] = [`module.x.${type}.x`, 'pink-linux_x'];
      show(withChange({ address: at, type, after: { name: Name, tags: { ...tags, Name } } }));
      expect(await meet(diagnostic(at, `creating it: ${code}: x`))).toMatchObject({
        kind: 'taken',
        names: [{ address: at, kind, name: Name }],
      });
    },
  );

  test.each([
    ['its kind is not known here', 'terraform_data.manager', 'EntityAlreadyExists'],
    ['its address is not in the plan', 'aws_iam_role.other', 'EntityAlreadyExists'],
  ])('ends in an error where %s', async (_name, at, words) => {
    await expect(meet(diagnostic(at, words))).rejects.toMatchObject({ code: 'TerraformNameTaken' });
  });

  test('ends in that error where something else has failed, too, that comes first', async () => {
    const denied = diagnostic('aws_x.y', 'AccessDenied: no');
    await expect(meet(diagnostic(address, 'EntityAlreadyExists'), denied)).rejects.toMatchObject({
      code: 'TerraformDenied',
    });
  });

  test('is planned with an import block, which is there only while it is planned', async () => {
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

  test('whose import alone is left to be done has a plan that is not empty', async () => {
    const plan = { ...captured('no-change'), applyable: true };
    plan.resource_changes = adoption({}).resource_changes?.slice(-1) ?? [];
    show(plan);
    expect(await open().plan(pink, { adopt })).toMatchObject({ kind: 'changes' });
  });

  test('and is killed while it plans leaves no import block to the next run of either shard', async () => {
    workshop.write('hosted-runner-adoption.linux-pink.c29tZWJvZHk.tf', 'import {}');
    workshop.write('hosted-runner-adoption.linux-large-pink.c29tZWJvZHk.tf', 'import {}');
    await open().exists(stackShard('purple', 'linux'));
    // Another stack's is let be, unless its run is proven dead.
    expect(written()).toEqual(['hosted-runner-adoption.linux-large-pink.c29tZWJvZHk.tf']);
    expect(existsSync(join(workshop.folder, 'main.tf'))).toBe(true);
  });
});

describe('what an import could bring in', () => {
  const found = (actions: string[], name: string) => {
    const type = 'aws_iam_role';
    const plan = withChange({ address, type, actions, after: { name, tags } });
    return [...importsOf(parsePlan(JSON.stringify(plan))).keys()];
  };

  test('is what is created, and nothing that is replaced, changed or read', () => {
    expect(found(['create'], id)).toEqual([address]);
    for (const actions of [['delete', 'create'], ['create', 'delete'], ['update'], ['no-op']])
      expect(found(actions, id)).toEqual([]);
  });

  test.each(['', 'a"\n}', `\${file("/etc/passwd")}`, 'a b', 'a\\'])(
    'has a name of AWS, which ends no text that it is written into: %j',
    async (odd) => {
      expect(found(['create'], odd)).toEqual([]);
      const place = { directory: '/nowhere', shard: pink } as unknown as Workplace;
      const names = [{ address, id: odd }];
      await expect(
        withImports(place, { names, self: 'here/1' }, async () => 'planned'),
      ).rejects.toThrow('an id that is none of AWS');
    },
  );
});
