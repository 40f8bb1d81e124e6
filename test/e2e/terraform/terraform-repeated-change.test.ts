import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { stackShard } from '../../contract/runner-host.contract.ts';
import { describeWithTools } from '../../support/tools.ts';
import { collect, openWorkshop, type Workshop } from '../../terraform/workshop.ts';

const pink = stackShard('pink', 'linux');

describeWithTools({ name: 'a Terraform plan', needs: ['terraform'] }, () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = openWorkshop();
  });
  afterEach(() => workshop.close());

  test('recognises a change in place that the previous plan contained, too', async () => {
    const built = workshop.open();
    await collect(built.apply(pink, await built.plan(pink)));
    const state = join(workshop.folder, 'linux-pink.tfstate');
    const changeOutside = (name: string) => {
      const text = readFileSync(state, 'utf8');
      writeFileSync(state, text.replaceAll(/"pink-linux_network"|"outside-\d"/g, `"${name}"`));
    };
    const plans = [];
    for (const name of ['outside-1', 'outside-2']) {
      changeOutside(name);
      const infrastructure = workshop.open();
      const plan = await infrastructure.plan(pink);
      plans.push(plan);
      const done = (await collect(infrastructure.apply(pink, plan))).at(-1);
      expect(done).toMatchObject({ counts: { added: 0, changed: 1, destroyed: 0 } });
    }
    const [first, second] = plans;
    expect(second?.updates).toMatchObject({ addresses: ['terraform_data.network'], isAll: true });
    expect(second?.updates).toEqual(first?.updates);
    expect((await workshop.open().plan(pink)).updates).toBeUndefined();
  });
});
