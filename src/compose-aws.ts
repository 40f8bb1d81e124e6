import type { Composition } from './compose.ts';
import type { Ports } from './ports/ports.ts';

type AwsPorts = Pick<
  Ports,
  'parameters' | 'host' | 'access' | 'account' | 'instances' | 'inventory' | 'hooks'
>;

/** The ports behind AWS. A service's client is opened when it is first asked. */
export async function composeAws(composition: Composition): Promise<AwsPorts> {
  const { settings, surroundings } = composition;
  const { environment, clock, random, redactor, signal } = surroundings;
  const asking = { environment, clock, random, redact: redactor.redact, signal };
  const [{ createSsm }, { createParameterStore }, { probeAccess }, cloud] = await Promise.all([
    import('./aws/ssm.ts'),
    import('./aws/parameters.ts'),
    import('./aws/access.ts'),
    composeCloud(composition),
  ]);
  const ssm = createSsm(asking);
  const runCommand = settings.host.access === 'run_command';
  return {
    ...cloud,
    parameters: createParameterStore({ ssm, kmsKeyId: settings.kmsKeyId }),
    host: await composeHost(composition, ssm),
    access: {
      probe: () =>
        probeAccess({ ssm, environment, parameterPath: settings.parameterPrefix, runCommand }),
    },
  };
}

async function composeCloud({ settings, surroundings }: Composition) {
  const { environment, clock, random, redactor, signal } = surroundings;
  const asking = { environment, clock, random, redact: redactor.redact, signal };
  const [few, tagging, groups, accounts, instances, inventories, hooks] = await Promise.all([
    import('./aws/few/ec2.ts'),
    import('./aws/few/tagging.ts'),
    import('./aws/few/auto-scaling.ts'),
    import('./aws/account.ts'),
    import('./aws/instances.ts'),
    import('./aws/inventory.ts'),
    import('./aws/lifecycle-hooks.ts'),
  ]);
  const ec2 = few.createEc2(asking);
  const autoScaling = groups.createAutoScaling(asking);
  const keys = settings.aws;
  return {
    account: accounts.createAccount(accounts.createSts(asking)),
    instances: instances.createInstances({ ec2, clock, signal }),
    inventory: inventories.createInventory({
      ec2,
      autoScaling,
      tagging: tagging.createTagging(asking),
      clock,
      signal,
      keys,
    }),
    hooks: hooks.createLifecycleHooks({ ec2, autoScaling, keys }),
  };
}

async function composeHost(
  { settings, surroundings }: Composition,
  ssm: import('./aws/ssm.ts').Ssm,
): Promise<Ports['host']> {
  const { clock, random, redactor, signal } = surroundings;
  if (settings.host.access !== 'run_command') {
    const { createClosedRunnerHost } = await import('./aws/closed-runner-host.ts');
    return createClosedRunnerHost();
  }
  const { createRunnerHost } = await import('./aws/runner-host.ts');
  const { redact } = redactor;
  const { workloadImage } = settings.healthcheck;
  return createRunnerHost({
    ssm,
    settings: settings.host,
    workloadImage,
    clock,
    random,
    redact,
    signal,
  });
}
