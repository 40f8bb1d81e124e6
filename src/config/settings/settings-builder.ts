import { pollOf } from '../../domain/bake/latency.ts';
import type { CallLimit } from '../../domain/call-usage.ts';
import { readSettings, type SettingsOf } from '../../domain/keys/key.ts';
import { type KeyName, stackKeys } from '../../domain/keys/key-table.ts';
import type {
  BakeSettings,
  CanarySettings,
  DrainSettings,
  HealthcheckSettings,
  HostSettings,
  InfrastructureSettings,
  RegistrationSettings,
  StackSettings,
} from '../../domain/settings.ts';
import type { RunnerName, Shard } from '../../domain/shard.ts';
import { describePlace } from '../problem.ts';
import { type ResolvedKeys, readKnownKey } from '../resolve.ts';
import { hasEvidenceToRepeat } from '../rules/bake-rules.ts';
import { driverOf } from '../rules/infrastructure-rules.ts';
import { buildGitHub, canaryRepository } from './github-settings.ts';

type Given = SettingsOf<typeof stackKeys>;

/** Builds the settings from keys without a problem, neither individual nor combined. */
export function buildSettings(runnerName: RunnerName, keys: ResolvedKeys): StackSettings {
  const all = readSettings(stackKeys, ({ name }) => keys.get(name as KeyName));
  const { runners, callBudgets, github, ...given } = all;
  const [first, second] = given.shards;
  const { stackTag, shardTag } = given.infrastructure.terraform;
  return {
    ...given,
    runnerName,
    gitlabUrl: runners === 'github' ? github.url : readKnownKey(keys, 'gitlab.url'),
    callLimits: buildCallLimits(callBudgets),
    ciServers: {
      ...(given.gitlabUrl === undefined ? {} : { gitlab: given.gitlabUrl }),
      github: github.url,
    },
    ...(runners === 'github' ? { github: buildGitHub(github) } : {}),
    shards: [first as Shard, second as Shard],
    parameterPrefix: given.parameterPrefix.replace('{runner_name}', runnerName),
    aws: { ...given.aws, stackTag, shardTag },
    registration: buildRegistration(all, keys),
    canary: buildCanary(all, keys),
    infrastructure: buildInfrastructure(all, keys),
    host: buildHost(all),
    healthcheck: buildHealthcheck(all),
    drain: buildDrain(all, keys),
    bake: buildBake(all, keys),
  };
}

function buildCallLimits(budgets: Given['callBudgets']): readonly CallLimit[] {
  return (['minute', 'hour'] as const).flatMap((per) => {
    const calls = budgets[per];
    return calls === undefined ? [] : [{ key: `gitlab.calls_per_${per}`, calls, per }];
  });
}

function buildHost({ runners, host: { kind, name, ...host } }: Given): HostSettings {
  const [usualKind, usualName] =
    runners === 'github'
      ? (['actions_runner', 'actions-runner'] as const)
      : (['docker', 'gitlab-runner'] as const);
  const process = { kind: kind ?? usualKind, name: name ?? usualName };
  return {
    ...host,
    process:
      process.kind === 'docker'
        ? { kind: process.kind, container: process.name }
        : { kind: process.kind, unit: process.name },
  };
}

function buildRegistration(
  { runners, registration: { scope: kind, groupId: _, projectId: __, ...registration } }: Given,
  keys: ResolvedKeys,
): RegistrationSettings {
  // GitHub's scope is in `github`; GitHub assigns no runner to single projects.
  if (runners === 'github') return { ...registration, scope: { kind: 'instance' } };
  switch (kind) {
    case 'group': {
      const groupId = readKnownKey(keys, 'registration.group_id');
      return { ...registration, scope: { kind, groupId } };
    }
    case 'project': {
      const projectId = readKnownKey(keys, 'registration.project_id');
      return { ...registration, scope: { kind, projectId } };
    }
    default:
      return { ...registration, scope: { kind: 'instance' } };
  }
}

function buildCanary({ canary }: Given, keys: ResolvedKeys): CanarySettings {
  const { kind, jobName, ref, input, workflow } = canary;
  switch (kind) {
    case 'job':
      return { kind, jobName };
    case 'project':
      return { kind, project: readKnownKey(keys, 'canary.project'), ref, input };
    case 'workflow':
      return { kind, repository: canaryRepository(keys) ?? '', workflow, ref };
    case 'off':
      return { kind };
  }
}

function buildInfrastructure(
  { infrastructure: { driver: _, terraform, command, ...others } }: Given,
  keys: ResolvedKeys,
): InfrastructureSettings {
  if (driverOf(keys) === 'terraform') {
    const directory = readKnownKey(keys, 'infrastructure.directory');
    return { driver: 'terraform', ...terraform, directory, ...others };
  }
  const apply = readKnownKey(keys, 'infrastructure.apply');
  const destroy = readKnownKey(keys, 'infrastructure.destroy');
  return { driver: 'command', ...command, apply, destroy, ...others };
}

function buildHealthcheck({ healthcheck, host, canary }: Given): HealthcheckSettings {
  const ofHost = host.access === 'none' ? 'optional' : 'required';
  return {
    ...healthcheck,
    evidence: {
      instance: ofHost,
      host: ofHost,
      capacity: healthcheck.idleWorkers > 0 ? 'required' : 'off',
      reachability: healthcheck.reach.length > 0 ? 'required' : 'off',
      canary: canary.kind === 'off' ? 'off' : 'required',
      ...healthcheck.evidence,
    },
  };
}

function buildDrain({ runners, drain }: Given, keys: ResolvedKeys): DrainSettings {
  const timeout = drain.timeoutMs && describePlace(keys.placeOf('drain.timeout'));
  const forceAfter = drain.forceAfterMs && describePlace(keys.placeOf('drain.force_after'));
  const chosenIn = { ...(timeout && { timeout }), ...(forceAfter && { forceAfter }) };
  return {
    pollOfRunnerMs: runners === 'github' ? 90_000 : 55_000,
    ...drain,
    ...(Object.keys(chosenIn).length === 0 ? {} : { chosenIn }),
  };
}

function buildBake({ runners, bake, canary }: Given, keys: ResolvedKeys): BakeSettings {
  const isGitHub = runners === 'github';
  const { starvationMs, ...given } = bake.signals;
  const signals = {
    health: hasEvidenceToRepeat(keys) ? ('required' as const) : ('off' as const),
    canary: canary.kind === 'off' ? ('off' as const) : ('required' as const),
    failures: isGitHub ? ('off' as const) : ('report' as const),
    ...given,
    ...(isGitHub || starvationMs === undefined ? {} : { starvationMs }),
  };
  return {
    onUnhealthy: bake.forMs === undefined ? 'off' : 'rollback',
    ...bake,
    // GitHub does not list the finished jobs of a runner.
    jobs: isGitHub && keys.rankOf('bake.jobs') === 0 ? 0 : bake.jobs,
    pollMs: pollOf({ ...bake, signals }),
    signals,
  };
}
