import type { Ports } from '../ports/ports.ts';
import type { Composition } from './compose.ts';

type AwsPorts = Pick<
  Ports,
  'parameters' | 'host' | 'access' | 'account' | 'instances' | 'inventory' | 'hooks'
>;

/** The ports behind AWS. A service's client is opened when it is first asked. */
export async function composeAws(composition: Composition): Promise<AwsPorts> {
  const services = await openServices(composition);
  const { settings } = composition;
  const { ssm, account, ...cloud } = services;
  const { createParameterStore } = await import('../adapters/aws/parameters/parameters.ts');
  return {
    ...(await composeCloud(composition, cloud)),
    account,
    parameters: createParameterStore({ ssm, kmsKeyId: settings.kmsKeyId }),
    host: await composeHost(composition, ssm),
    access: { probe: () => probe(composition, services) },
  };
}

type Services = Awaited<ReturnType<typeof openServices>>;

async function openServices({ surroundings }: Composition) {
  const { environment, clock, random, redactor, budget, signal, patienceMs } = surroundings;
  const asking = {
    ...{ environment, clock, random, redact: redactor.redact, budget, signal },
    ...(patienceMs === undefined ? {} : { retryBudgetMs: patienceMs }),
  };
  const [ssm, ec2, tagging, groups, iam, accounts] = await Promise.all([
    import('../adapters/aws/parameters/ssm.ts'),
    import('../adapters/aws/few/ec2.ts'),
    import('../adapters/aws/few/tagging.ts'),
    import('../adapters/aws/few/auto-scaling.ts'),
    import('../adapters/aws/few/iam.ts'),
    import('../adapters/aws/access/account.ts'),
  ]);
  return {
    ssm: ssm.createSsm(asking),
    ec2: ec2.createEc2(asking),
    tagging: tagging.createTagging(asking),
    autoScaling: groups.createAutoScaling(asking),
    iam: iam.createIam(asking),
    account: accounts.createAccount(accounts.createSts(asking)),
  };
}

async function composeCloud(
  { settings, surroundings }: Composition,
  { ec2, tagging, autoScaling, iam }: Pick<Services, 'ec2' | 'tagging' | 'autoScaling' | 'iam'>,
) {
  const { clock, signal } = surroundings;
  const [{ createInstances }, { createInventory }, { createLifecycleHooks }] = await Promise.all([
    import('../adapters/aws/inventory/instances.ts'),
    import('../adapters/aws/inventory/inventory.ts'),
    import('../adapters/aws/inventory/lifecycle-hooks.ts'),
  ]);
  const { roleNames, ...keys } = settings.aws;
  return {
    instances: createInstances({ ec2, clock, signal }),
    inventory: createInventory({ ec2, autoScaling, tagging, iam, clock, signal, keys, roleNames }),
    hooks: createLifecycleHooks({ ec2, autoScaling, keys }),
  };
}

async function probe({ settings, surroundings }: Composition, services: Services) {
  const { environment, clock, random, redactor, signal } = surroundings;
  const asking = { environment, clock, random, redact: redactor.redact, signal };
  const [{ probeAccess }, { createIam }] = await Promise.all([
    import('../adapters/aws/access/access.ts'),
    import('../adapters/aws/few/iam.ts'),
  ]);
  return probeAccess({
    services,
    // Many runners reach AWS by private endpoints only, and IAM may not be among them.
    iam: createIam({ ...asking, retryBudgetMs: 2000, requestTimeoutMs: 5000 }),
    account: services.account,
    environment,
    settings: settings.aws,
    place: settings,
    runCommand: settings.host.access === 'run_command',
  });
}

async function composeHost(
  { settings, surroundings }: Composition,
  ssm: import('../adapters/aws/parameters/ssm.ts').Ssm,
): Promise<Ports['host']> {
  const { clock, random, redactor, signal } = surroundings;
  if (settings.host.access !== 'run_command') {
    const { createClosedRunnerHost } = await import('../adapters/aws/hosts/closed-runner-host.ts');
    return createClosedRunnerHost();
  }
  const { createRunnerHost } = await import('../adapters/aws/hosts/runner-host.ts');
  const { redact } = redactor;
  return createRunnerHost({
    ...{ ssm, clock, random, redact, signal },
    settings: settings.host,
    workloadImage: settings.healthcheck.workloadImage,
  });
}
