import { stageNames } from '../../../domain/deployment/stages-and-steps.ts';
import type { AwsSettings } from '../../../domain/settings.ts';
import type { Account } from '../../../ports/cloud/account.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { ProbeResult } from '../../../ports/registry.ts';
import type { Iam } from '../services.ts';
import { type Exemption, type Permission, type PolicyRole, permissions } from './permissions.ts';
import type { StackPlace } from './scopes.ts';
import { principalOf, type Simulation, simulate, type Undecided } from './simulation.ts';
import { type Trial, type TrialServices, trialsOf, tryOut } from './trials.ts';

export interface AccessRequest {
  readonly services: TrialServices;
  readonly iam: Iam;
  readonly account: Account;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly settings: AwsSettings;
  /** Customer-managed KMS key that encrypts the tokens. */
  readonly kmsKeyId?: string | undefined;
  readonly place: Pick<
    StackPlace,
    'runnerName' | 'shards' | 'parameterPrefix' | 'github' | 'document'
  >;
  /** Whether Run Command is used to check hosts. */
  readonly runCommand: boolean;
  /** Whether a bake reads CloudWatch alarms. */
  readonly alarms?: boolean | undefined;
}

/** Stages of a pipeline. `prepare` does not check the operator's commands. */
const pipeline: readonly PolicyRole[] = stageNames;

/**
 * Reports which permissions the credentials have, for `prepare`, and changes nothing. List actions
 * are tried. IAM simulates all others. The result names each action that neither way could check.
 */
export async function probeAccess(request: AccessRequest): Promise<readonly ProbeResult[]> {
  const wanted = wantedOf(request);
  const tried = await Promise.all(trialsOf(wanted.own).map((trial) => probe(request, trial)));
  const simulated = await queryIam(request, wanted);
  return [...tried, ...simulated, ...unseenKeyPolicy(request), ...staticKeys(request.environment)];
}

type Circumstances = Pick<AccessRequest, 'settings' | 'runCommand' | 'alarms'> &
  Pick<StackPlace, 'document'>;

/** Decides by the configuration whether a permission is unnecessary. */
const isSpared: Readonly<Record<Exemption, (circumstances: Circumstances) => boolean>> = {
  no_run_command: ({ runCommand }) => !runCommand,
  check_document: ({ runCommand, document }) => !runCommand || document !== undefined,
  no_check_document: ({ runCommand, document }) => !runCommand || document === undefined,
  no_sweep: ({ settings }) => settings.sweep === 'off',
  no_role_names: ({ settings }) => settings.sweep === 'off' || settings.roleNames.length === 0,
  no_alarms: ({ alarms }) => alarms !== true,
};

interface Wanted {
  /** Permissions of the stages that use the same role as `prepare`. */
  readonly own: readonly Permission[];
  readonly others: readonly { readonly role: string; readonly wanted: readonly Permission[] }[];
}

function wantedOf({ settings, runCommand, alarms, place: { document } }: AccessRequest): Wanted {
  const circumstances = { settings, runCommand, alarms, document };
  const used = permissions.filter(
    ({ unless, optional }) =>
      optional !== true && !(unless !== undefined && isSpared[unless](circumstances)),
  );
  const ofStages = (stages: readonly string[]) =>
    used
      .map((one) => ({ ...one, roles: one.roles.filter((role) => stages.includes(role)) }))
      .filter(({ roles }) => roles.length > 0);
  const { stageRoles } = settings;
  return {
    own: ofStages(pipeline.filter((stage) => stageRoles[stage] === undefined)),
    others: [...new Set(Object.values(stageRoles))].map((role) => ({
      role,
      wanted: ofStages(pipeline.filter((stage) => stageRoles[stage] === role)),
    })),
  };
}

async function queryIam(request: AccessRequest, { own, others }: Wanted): Promise<ProbeResult[]> {
  const { account: accounts, settings, place: stack } = request;
  const { arn, account, region } = await accounts.readIdentity();
  const partition = arn.split(':')[1] ?? 'aws';
  const { stackTag, shardTag, roleNames } = settings;
  const place: StackPlace = { ...stack, stackTag, shardTag, roleNames, partition, account, region };
  const principal = principalOf({ arn });
  const subjects = [{ role: principal, wanted: own }, ...others];
  const results: ProbeResult[] = [];
  for (const { role, wanted } of subjects) {
    const simulation =
      role === undefined
        ? notSimulated(`${arn} is neither a user nor a role`)
        : await simulateOrNot(request.iam, { principal: role, place }, wanted);
    results.push(
      ...toProbeResults(simulation, { role: role ?? arn, wanted, isOwn: role === principal }),
    );
  }
  return results;
}

/** Returns `not_simulated` if IAM fails: a failed simulation proves nothing about permissions. */
async function simulateOrNot(
  iam: Iam,
  subject: { principal: string; place: StackPlace },
  wanted: readonly Permission[],
): Promise<Simulation> {
  try {
    return await simulate(iam, subject, wanted);
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return notSimulated(error.message);
  }
}

function notSimulated(reason: string): Simulation {
  return { kind: 'not_simulated', reason };
}

function toProbeResults(
  simulation: Simulation,
  { role, wanted, isOwn }: { role: string; wanted: readonly Permission[]; isOwn: boolean },
): ProbeResult[] {
  if (simulation.kind === 'simulated') {
    const open = formatUndecided(simulation.undecided, role);
    if (simulation.missing.length === 0)
      return [{ what: `AWS for ${role}`, outcome: 'granted', detail: 'IAM was queried' }, ...open];
    const missing = simulation.missing.map(({ permission, resource, decision }) => ({
      what: `${permission.action} on ${resource}`,
      outcome: 'missing' as const,
      detail: `IAM returned ${decision} for ${role}; ${permission.roles.join(', ')} ${permission.roles.length === 1 ? 'needs' : 'need'} it`,
    }));
    return [...missing, ...open];
  }
  const tried = isOwn ? trialsOf(wanted).map(({ action }) => action) : [];
  const actions = new Set(wanted.map(({ action }) => action).filter((one) => !tried.includes(one)));
  return [
    notProbed(
      [...actions].join(', '),
      `an attempt would have an effect, and IAM gave no decision: ${simulation.reason}`,
    ),
  ];
}

/** Formats one result per set of conditions, because many actions share one. */
function formatUndecided(undecided: readonly Undecided[], role: string): ProbeResult[] {
  const groups = new Map<string, { readonly one: Undecided; readonly actions: Set<string> }>();
  for (const one of undecided) {
    const key = `${one.decision} ${one.without.join()}`;
    const group = groups.get(key) ?? { one, actions: new Set() };
    groups.set(key, group);
    group.actions.add(one.permission.action);
  }
  return [...groups.values()].map(({ one: { decision, without }, actions }) =>
    notProbed(
      [...actions].join(', '),
      `policies of ${role} require ${without.join(', ')}, which only the real call contains; without it IAM ${decision === 'allowed' ? 'allows' : 'refuses'} the call`,
    ),
  );
}

/**
 * Reports the KMS key as unchecked: its key policy also decides, and IAM does not simulate key
 * policies.
 */
function unseenKeyPolicy({ kmsKeyId }: AccessRequest): ProbeResult[] {
  if (kmsKeyId === undefined) return [];
  return [
    notProbed(
      `kms:Encrypt, kms:Decrypt with ${kmsKeyId}`,
      'the key has its own policy, which IAM does not simulate',
    ),
  ];
}

async function probe(request: AccessRequest, trial: Trial): Promise<ProbeResult> {
  const what = trial.action;
  try {
    await tryOut(request.services, trial, request.place.parameterPrefix);
    return { what, outcome: 'granted', detail: 'tried' };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    const missing = ['denied', 'unauthenticated', 'refused'].includes(error.kind);
    const need = `${trial.roles.join(', ')} ${trial.roles.length === 1 ? 'needs' : 'need'} it`;
    return {
      what,
      outcome: missing ? 'missing' : 'not_probed',
      detail: `${error.detail}; ${need}`,
    };
  }
}

/**
 * Detects long-lived keys. They can leak and never expire; both CIs can use OpenID Connect instead.
 */
function hasStaticKeys(environment: AccessRequest['environment']): boolean {
  const { AWS_ACCESS_KEY_ID: key = '', AWS_SESSION_TOKEN: token = '' } = environment;
  return key.startsWith('AKIA') && token === '';
}

function staticKeys(environment: AccessRequest['environment']): ProbeResult[] {
  if (!hasStaticKeys(environment)) return [];
  return [
    notProbed(
      'short-lived AWS credentials',
      'AWS_ACCESS_KEY_ID is a long-lived key; a role assumed by OpenID Connect expires by itself',
    ),
  ];
}

function notProbed(what: string, detail: string): ProbeResult {
  return { what, outcome: 'not_probed', detail };
}
