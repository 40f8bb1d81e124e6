import { probeAccess } from '../../adapters/aws/access/access.ts';
import { createAccount } from '../../adapters/aws/access/aws-account.ts';
import { createAlarms } from '../../adapters/aws/alarms/cloudwatch-alarms.ts';
import { createRunnerHost } from '../../adapters/aws/hosts/aws-runner-host.ts';
import { hashOf, renderCheckDocument } from '../../adapters/aws/hosts/check-document.ts';
import { createUnreadableHost } from '../../adapters/aws/hosts/inaccessible-runner-host.ts';
import type { CheckDocument } from '../../adapters/aws/hosts/run-command.ts';
import { createLifecycleHooks } from '../../adapters/aws/inventory/auto-scaling-hooks.ts';
import { createInventory } from '../../adapters/aws/inventory/aws-inventory.ts';
import { createInstances } from '../../adapters/aws/inventory/ec2-instances.ts';
import * as services from '../../adapters/aws/services.ts';
import { createParameterStore } from '../../adapters/aws/state-store/parameter-store.ts';
import type { StackSettings } from '../../domain/settings.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AwsPorts, Composition } from './compose.ts';

type AwsComposition = Omit<Composition, 'run'>;

/** Composes the ports behind AWS. The client of a service is opened at its first call. */
export async function composeAws(composition: AwsComposition): Promise<AwsPorts> {
  const opened = await openServices(composition);
  const { settings } = composition;
  const { ssm, account, cloudWatch, ...cloud } = opened;
  return {
    ...composeCloud(composition, cloud),
    account,
    parameters: createParameterStore({ ssm, kmsKeyId: settings.kmsKeyId }),
    host: composeHost(composition, ssm),
    alarms: createAlarms({ cloudWatch, redact: composition.surroundings.redactor.redact }),
    access: { probe: () => probe(composition, opened) },
  };
}

type Services = Awaited<ReturnType<typeof openServices>>;

async function openServices({ surroundings, signal, log }: AwsComposition) {
  const { redact } = surroundings.redactor;
  const credentials = await surroundings.credentials?.();
  const retryBudgetMs = surroundings.patienceMs;
  const options = { ...surroundings, redact, signal, credentials, log, retryBudgetMs };
  return {
    ssm: services.createSsm(options),
    ec2: services.createEc2(options),
    tagging: services.createTagging(options),
    autoScaling: services.createAutoScaling(options),
    iam: services.createIam(options),
    cloudWatch: services.createCloudWatch(options),
    // Short limits, because many runners reach AWS only by private endpoints, often without IAM.
    iamToProbe: services.createIam({ ...options, retryBudgetMs: 2000, requestTimeoutMs: 5000 }),
    account: createAccount(services.createSts(options), credentials),
  };
}

function composeCloud(
  { settings, surroundings }: AwsComposition,
  { ec2, tagging, autoScaling, iam }: Pick<Services, 'ec2' | 'tagging' | 'autoScaling' | 'iam'>,
) {
  const { clock } = surroundings;
  const { roleNames, ...keys } = settings.aws;
  return {
    instances: createInstances({ ec2, clock, keys }),
    inventory: createInventory({ ec2, autoScaling, tagging, iam, clock, keys, roleNames }),
    hooks: createLifecycleHooks({ ec2, autoScaling, keys }),
  };
}

function probe({ settings, surroundings }: AwsComposition, opened: Services) {
  return probeAccess({
    services: opened,
    iam: opened.iamToProbe,
    account: opened.account,
    environment: surroundings.environment,
    settings: settings.aws,
    kmsKeyId: settings.kmsKeyId,
    place: { ...settings, document: settings.host.document },
    runCommand: settings.host.access === 'run_command',
    alarms: settings.bake.forMs !== undefined && settings.bake.signals.cloudwatchAlarms.length > 0,
  });
}

function composeHost(
  { settings, surroundings, log, command }: AwsComposition,
  ssm: services.Ssm,
): Ports['host'] {
  const { redact } = surroundings.redactor;
  if (settings.host.access !== 'run_command') return createUnreadableHost();
  return createRunnerHost({
    ...surroundings,
    ...{ ssm, redact, log },
    settings: settings.host,
    workloadImage: settings.healthcheck.workloadImage,
    document: documentOf(settings, command),
  });
}

/**
 * Returns the document for checks. Other commands also start and end runners, which the document
 * cannot do, so their roles may run scripts anyway.
 */
function documentOf(
  settings: StackSettings,
  command: AwsComposition['command'],
): CheckDocument | undefined {
  const { document: name } = settings.host;
  if (name === undefined || !(command === 'prepare' || command === 'healthcheck')) return undefined;
  const content = renderCheckDocument(settings);
  return { name, sha256: hashOf(content), runner: settings.runnerName };
}
