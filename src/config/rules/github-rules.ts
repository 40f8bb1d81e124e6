import type { KeyName } from '../../domain/keys/key-table.ts';
import type { Problem } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';
import { canaryRepository } from '../settings/github-settings.ts';

/** Finds settings that contradict the kind of runners. */
export function githubRules(keys: ResolvedKeys): Problem[] {
  const runners = keys.get('runners');
  if (runners === undefined) return [];
  return runners === 'github'
    ? [
        ...scopeRules(keys),
        ...groupRules(keys),
        ...appRules(keys),
        ...canaryRules(keys),
        ...hostRules(keys),
        ...gitlabOnly(keys),
      ]
    : gitlabRules(keys);
}

const scopes = ['organization', 'repository', 'enterprise'] as const;

function scopeRules(keys: ResolvedKeys): Problem[] {
  const given = scopes.map((scope) => `github.${scope}` as const);
  const present = given.filter((name) => keys.get(name) !== undefined);
  if (given.some((name) => keys.isRefused(name))) return [];
  if (present.length === 1) return [];
  const text =
    present.length === 0
      ? 'github needs github.organization, github.repository or github.enterprise'
      : `only one of ${present.join(' and ')} can own the runners`;
  return [keys.problem(present[1] ?? 'runners', text)];
}

/** Refuses groups for a repository: its runners belong to no group. */
function groupRules(keys: ResolvedKeys): Problem[] {
  const names = ['github.runner_group', 'github.quarantine_group', 'github.closed_group'] as const;
  if (names.some((name) => keys.isRefused(name))) return [];
  const [production, quarantine, closed] = names.map((name) => keys.get(name));
  if (keys.get('github.repository') !== undefined) {
    return names
      .filter((name) => ![undefined, 'Default'].includes(keys.get(name)))
      .map((name) => keys.problem(name, 'runners of a repository have no group; remove the key'));
  }
  if ((quarantine === undefined) !== (closed === undefined)) {
    const [there, missing] = quarantine === undefined ? [names[2], names[1]] : [names[1], names[2]];
    return [keys.problem(there, `runner groups also need ${missing}`)];
  }
  if (quarantine === undefined) return [];
  const given = [production, quarantine, closed].map((name) => name?.toLowerCase());
  return new Set(given).size === given.length
    ? []
    : [
        keys.problem(
          names[1],
          'runner_group, quarantine_group and closed_group must be three different groups',
        ),
      ];
}

function appRules(keys: ResolvedKeys): Problem[] {
  const [app, installation] = ['github.app_id', 'github.installation_id'] as const;
  if (keys.isRefused(app) || keys.isRefused(installation)) return [];
  if ((keys.get(app) === undefined) === (keys.get(installation) === undefined)) return [];
  const [there, missing] = keys.get(app) === undefined ? [installation, app] : [app, installation];
  return [keys.problem(there, `an App also needs ${missing}`)];
}

function canaryRules(keys: ResolvedKeys): Problem[] {
  const kind = keys.get('canary.kind');
  if (kind === 'job' || kind === 'project') {
    const text = `kind ${kind} is a GitLab job; runners github need canary.kind workflow (or off)`;
    return [keys.problem('canary.kind', text)];
  }
  if (kind !== 'workflow') return [];
  const repository = canaryRepository(keys);
  if (repository === undefined && !keys.isRefused('canary.project')) {
    return [keys.problem('canary.kind', 'kind workflow needs canary.project, such as acme/canary')];
  }
  return repository === undefined || /^[^/]+\/[^/]+$/.test(repository)
    ? []
    : [keys.problem('canary.project', 'kind workflow needs a repository such as acme/canary')];
}

function hostRules(keys: ResolvedKeys): Problem[] {
  const kind = keys.get('host.kind');
  const wrong =
    kind === undefined || kind === 'actions_runner' || !keys.isMeant('host.kind', 'runners')
      ? []
      : [
          keys.problem(
            'host.kind',
            `${kind} is only for gitlab-runner; runners github need actions_runner`,
          ),
        ];
  const wrapper = keys.get('host.wrapper');
  return wrapper === undefined
    ? wrong
    : [
        ...wrong,
        keys.problem(
          'host.wrapper',
          'only gitlab-runner has a wrapper, but the runners are github',
        ),
      ];
}

/** Refuses settings for facts that GitHub does not report or settings that it lacks. */
function gitlabOnly(keys: ResolvedKeys): Problem[] {
  const problems: Problem[] = [];
  if (keys.get('healthcheck.evidence.observe') === 'required') {
    const text = 'required, but GitHub does not report whether a runner failed a job; write off';
    problems.push(keys.problem('healthcheck.evidence.observe', text));
  }
  if (keys.get('healthcheck.evidence.capacity') === 'required') {
    const text = 'required, but the runner of GitHub does not report its idle workers; write off';
    problems.push(keys.problem('healthcheck.evidence.capacity', text));
  }
  if (keys.get('registration.run_untagged') === true) {
    const text = 'GitHub runners have no such setting; write false';
    problems.push(keys.problem('registration.run_untagged', text));
  }
  return problems;
}

const githubKeys: readonly KeyName[] = [
  'github.organization',
  'github.repository',
  'github.enterprise',
  'github.quarantine_group',
  'github.closed_group',
  'github.app_id',
  'github.installation_id',
  'github.secret_parameter',
];

function gitlabRules(keys: ResolvedKeys): Problem[] {
  const foreign = githubKeys.filter(
    (name) => keys.get(name) !== undefined && keys.isMeant(name, 'runners'),
  );
  const problems = foreign.map((name) =>
    keys.problem(name, 'requires runners github, but the runners are gitlab'),
  );
  if (keys.get('canary.kind') === 'workflow') {
    const text = 'kind workflow requires runners github, but the runners are gitlab';
    problems.push(keys.problem('canary.kind', text));
  }
  if (keys.get('host.kind') === 'actions_runner') {
    const text = 'actions_runner requires runners github, but the runners are gitlab';
    problems.push(keys.problem('host.kind', text));
  }
  return problems;
}
