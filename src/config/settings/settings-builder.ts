import type { CallLimit } from '../../domain/call-usage.ts';
import type {
  AwsSettings,
  CanarySettings,
  DrainSettings,
  HostSettings,
  InfrastructureSettings,
  RegistrationSettings,
  StackSettings,
  TerraformInfrastructure,
} from '../../domain/settings.ts';
import type { RunnerName, Shard } from '../../domain/shard.ts';
import { describePlace } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';
import { readKnownKey } from '../resolve.ts';
import { driverOf } from '../rules/infrastructure-rules.ts';
import { buildBake } from './bake-settings.ts';
import { buildGitHub, canaryRepository } from './github-settings.ts';
import { buildHealthcheck } from './healthcheck-settings.ts';

/** Only for keys that have no problem, neither alone nor together. */
export function buildSettings(runnerName: RunnerName, keys: ResolvedKeys): StackSettings {
  const [first, second] = readKnownKey(keys, 'shards');
  const kmsKeyId = keys.get('kms_key_id');
  const isGitHub = readKnownKey(keys, 'runners') === 'github';
  const gitlab = keys.get('gitlab.url');
  return {
    runnerName,
    gitlabUrl: readKnownKey(keys, isGitHub ? 'github.url' : 'gitlab.url'),
    callLimits: buildCallLimits(keys),
    ciServers: {
      ...(gitlab === undefined ? {} : { gitlab }),
      github: readKnownKey(keys, 'github.url'),
    },
    ...(isGitHub ? { github: buildGitHub(keys) } : {}),
    shards: [first as Shard, second as Shard],
    parameterPrefix: readKnownKey(keys, 'parameter_prefix').replace('{runner_name}', runnerName),
    ...(kmsKeyId === undefined ? {} : { kmsKeyId }),
    aws: buildAws(keys),
    registration: buildRegistration(keys),
    canary: buildCanary(keys),
    infrastructure: buildInfrastructure(keys),
    host: buildHost(keys),
    managers: readKnownKey(keys, 'managers'),
    healthcheck: buildHealthcheck(keys),
    drain: buildDrain(keys),
    bake: buildBake(keys),
  };
}

function buildCallLimits(keys: ResolvedKeys): readonly CallLimit[] {
  return (['minute', 'hour'] as const).flatMap((per) => {
    const key = `gitlab.calls_per_${per}` as const;
    const calls = keys.get(key);
    return calls === undefined ? [] : [{ key, calls, per }];
  });
}

function buildHost(keys: ResolvedKeys): HostSettings {
  const wrapper = readKnownKey(keys, 'host.wrapper');
  const document = readKnownKey(keys, 'host.document');
  return {
    access: readKnownKey(keys, 'host.access'),
    process: buildProcess(keys),
    listenPort: readKnownKey(keys, 'host.listen_port'),
    ...(wrapper === 'none' ? {} : { wrapper }),
    ...(document === 'none' ? {} : { document }),
  };
}

function buildProcess(keys: ResolvedKeys): HostSettings['process'] {
  const isGitHub = readKnownKey(keys, 'runners') === 'github';
  const kind = keys.get('host.kind') ?? (isGitHub ? 'actions_runner' : 'docker');
  const name = keys.get('host.name') ?? (isGitHub ? 'actions-runner' : 'gitlab-runner');
  return kind === 'docker' ? { kind, container: name } : { kind, unit: name };
}

function buildAws(keys: ResolvedKeys): AwsSettings {
  const account = keys.get('aws.account');
  const region = keys.get('aws.region');
  return {
    ...(account === undefined ? {} : { account }),
    ...(region === undefined ? {} : { region }),
    stageRoles: Object.fromEntries(
      readKnownKey(keys, 'aws.stage_roles').map((text) => [
        text.slice(0, text.indexOf('=')),
        text.slice(text.indexOf('=') + 1),
      ]),
    ),
    sweep: readKnownKey(keys, 'aws.sweep'),
    roleNames: readKnownKey(keys, 'aws.role_names'),
    stackTag: readKnownKey(keys, 'infrastructure.stack_tag'),
    shardTag: readKnownKey(keys, 'infrastructure.shard_tag'),
  };
}

function buildRegistration(keys: ResolvedKeys): RegistrationSettings {
  const maximum = readKnownKey(keys, 'registration.maximum_timeout');
  return {
    scope: buildScope(keys),
    tags: readKnownKey(keys, 'registration.tags'),
    runUntagged: readKnownKey(keys, 'registration.run_untagged'),
    locked: readKnownKey(keys, 'registration.locked'),
    accessLevel: readKnownKey(keys, 'registration.access_level'),
    ...(maximum === 'none' ? {} : { maximumTimeoutSeconds: Math.floor(maximum / 1000) }),
  };
}

function buildScope(keys: ResolvedKeys): RegistrationSettings['scope'] {
  // GitHub's own scope is in `github`; nothing is assigned to single projects there.
  if (readKnownKey(keys, 'runners') === 'github') return { kind: 'instance' };
  const kind = readKnownKey(keys, 'registration.scope');
  switch (kind) {
    case 'instance':
      return { kind };
    case 'group':
      return { kind, groupId: readKnownKey(keys, 'registration.group_id') };
    case 'project':
      return { kind, projectId: readKnownKey(keys, 'registration.project_id') };
  }
}

function buildCanary(keys: ResolvedKeys): CanarySettings {
  const kind = readKnownKey(keys, 'canary.kind');
  switch (kind) {
    case 'job':
      return { kind, jobName: readKnownKey(keys, 'canary.job_name') };
    case 'project':
      return {
        kind,
        project: readKnownKey(keys, 'canary.project'),
        ref: readKnownKey(keys, 'canary.ref'),
        input: readKnownKey(keys, 'canary.input'),
      };
    case 'workflow':
      return {
        kind,
        repository: canaryRepository(keys) ?? '',
        workflow: readKnownKey(keys, 'canary.workflow'),
        ref: readKnownKey(keys, 'canary.ref'),
      };
    case 'off':
      return { kind };
  }
}

function buildInfrastructure(keys: ResolvedKeys): InfrastructureSettings {
  const passEnvironment = readKnownKey(keys, 'infrastructure.pass_environment');
  const timeoutMs = readKnownKey(keys, 'infrastructure.timeout');
  if (driverOf(keys) === 'terraform') {
    return { ...buildTerraform(keys), passEnvironment, timeoutMs };
  }
  const outputs = keys.get('infrastructure.outputs');
  const workingDirectory = keys.get('infrastructure.working_directory');
  return {
    driver: 'command',
    apply: readKnownKey(keys, 'infrastructure.apply'),
    destroy: readKnownKey(keys, 'infrastructure.destroy'),
    ...(outputs === undefined ? {} : { outputs }),
    ...(workingDirectory === undefined ? {} : { workingDirectory }),
    passEnvironment,
    timeoutMs,
  };
}

function buildTerraform(
  keys: ResolvedKeys,
): Omit<TerraformInfrastructure, 'passEnvironment' | 'timeoutMs'> {
  const workspace = keys.get('infrastructure.workspace');
  return {
    driver: 'terraform',
    binary: readKnownKey(keys, 'infrastructure.binary'),
    directory: readKnownKey(keys, 'infrastructure.directory'),
    backendConfig: readKnownKey(keys, 'infrastructure.backend_config'),
    ...(workspace === undefined ? {} : { workspace }),
    varFiles: readKnownKey(keys, 'infrastructure.var_files'),
    variables: readKnownKey(keys, 'infrastructure.variables'),
    lockTimeoutMs: readKnownKey(keys, 'infrastructure.lock_timeout'),
    ownNames: readKnownKey(keys, 'infrastructure.own_names'),
    stackTag: readKnownKey(keys, 'infrastructure.stack_tag'),
    shardTag: readKnownKey(keys, 'infrastructure.shard_tag'),
  };
}

function buildDrain(keys: ResolvedKeys): DrainSettings {
  const timeout = readKnownKey(keys, 'drain.timeout');
  const force = readKnownKey(keys, 'drain.force_after');
  return {
    ...(timeout === 'none' ? {} : { timeoutMs: timeout }),
    ...(force === 'none' ? {} : { forceAfterMs: force }),
    ...(timeout === 'none' && force === 'none'
      ? {}
      : {
          chosenIn: {
            ...(timeout === 'none'
              ? {}
              : { timeout: describePlace(keys.placeOf('drain.timeout')) }),
            ...(force === 'none'
              ? {}
              : { forceAfter: describePlace(keys.placeOf('drain.force_after')) }),
          },
        }),
    pollOfRunnerMs:
      keys.get('drain.poll_of_runner') ??
      (readKnownKey(keys, 'runners') === 'github' ? 90_000 : 55_000),
    confirmationMs: readKnownKey(keys, 'drain.confirmation'),
    pollMs: readKnownKey(keys, 'drain.poll'),
    servicePollMs: readKnownKey(keys, 'drain.service_poll'),
  };
}
