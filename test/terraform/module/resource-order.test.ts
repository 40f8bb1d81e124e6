import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/program.ts';

const folder = join(root, 'terraform');
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.tf'))
  .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Blocks of the module, with their Terraform addresses and texts. */
const blocks = sources.flatMap((source) =>
  [...source.matchAll(/^(resource|module) "(\w+)"(?: "(\w+)")? \{\n([\s\S]*?)^\}/gm)].map(
    ([, kind, type, name, text = '']) => ({
      address: kind === 'module' ? `module.${type}` : `${type}.${name}`,
      text,
    }),
  ),
);

/** An SSM agent sleeps for 5 to 60 minutes if its first call is refused or lost. */
test('a host is created only after its role’s policies and its outgoing connections', () => {
  const needed = blocks
    .filter(
      ({ address, text }) =>
        (/^aws_iam_role_polic/.test(address) && /role += aws_iam_role\.runner\./.test(text)) ||
        (address.startsWith('aws_vpc_security_group_egress_rule.') &&
          text.includes('security_group_id = aws_security_group.runner.id')),
    )
    .map(({ address }) => address);
  expect(needed).toContain('aws_iam_role_policy.runner');
  expect(needed).toContain('aws_vpc_security_group_egress_rule.all');
  const host = blocks.find(({ address }) => address === 'module.ec2')?.text ?? '';
  const waits = /depends_on = \[([^\]]*)\]/.exec(host)?.[1]?.split(/,\s*/) ?? [];
  expect(waits.sort()).toEqual(needed.sort());
});
