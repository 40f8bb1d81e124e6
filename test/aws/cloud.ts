import { createAccount, createSts } from '../../src/aws/account.ts';
import type { AskOptions } from '../../src/aws/ask.ts';
import { createAutoScaling } from '../../src/aws/few/auto-scaling.ts';
import { createEc2 } from '../../src/aws/few/ec2.ts';
import { createTagging } from '../../src/aws/few/tagging.ts';
import { createInstances } from '../../src/aws/instances.ts';
import { createInventory } from '../../src/aws/inventory.ts';
import { createLifecycleHooks } from '../../src/aws/lifecycle-hooks.ts';
import { createSystemClock } from '../../src/system/clock.ts';
import { createSystemRandom } from '../../src/system/random.ts';

export const keys = { stackTag: 'hosted-runner:stack', shardTag: 'hosted-runner:shard' };

export function connectCloud(endpoint: string, more: Partial<AskOptions> = {}) {
  const clock = createSystemClock();
  const options: AskOptions = {
    environment: process.env,
    clock,
    random: createSystemRandom(),
    redact: (text) => text,
    retryBudgetMs: 2000,
    configuration: {
      endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'AKIASANDBOX', secretAccessKey: 'made-up' },
    },
    ...more,
  };
  const ec2 = createEc2(options);
  const autoScaling = createAutoScaling(options);
  const tagging = createTagging(options);
  const sts = createSts(options);
  return {
    instances: createInstances({ ec2, clock }),
    inventory: createInventory({ ec2, autoScaling, tagging, clock, keys }),
    hooks: createLifecycleHooks({ ec2, autoScaling, keys }),
    account: createAccount(sts),
    close() {
      for (const service of [ec2, autoScaling, tagging, sts]) service.close();
    },
  };
}
