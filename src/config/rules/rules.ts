import type { EvidenceKind } from '../../domain/health/evidence.ts';
import { show } from '../../domain/text/show.ts';
import type { Problem } from '../problem.ts';
import type { ResolvedKeys } from '../resolve.ts';
import { bakeRules } from './bake-rules.ts';
import { githubRules } from './github-rules.ts';
import { infrastructureRules } from './infrastructure-rules.ts';

/** Finds contradictions between keys. A key that was refused individually is ignored. */
export function findKeyContradictions(keys: ResolvedKeys): Problem[] {
  return [
    ...registrationRules(keys),
    ...canaryRules(keys),
    ...githubRules(keys),
    ...infrastructureRules(keys),
    ...evidenceRules(keys),
    ...shardRules(keys),
    ...hostRules(keys),
    ...bakeRules(keys),
  ];
}

function registrationRules(keys: ResolvedKeys): Problem[] {
  const problems: Problem[] = [];
  const scope = keys.get('registration.scope');
  for (const kind of ['group', 'project'] as const) {
    const id = `registration.${kind}_id` as const;
    const given = keys.get(id) !== undefined;
    if (scope === kind && !given && !keys.isRefused(id)) {
      problems.push(
        keys.problem('registration.scope', `scope ${kind} needs registration.${kind}_id`),
      );
    }
    if (scope !== undefined && scope !== kind && given && keys.isMeant(id, 'registration.scope')) {
      problems.push(keys.problem(id, `requires scope ${kind}, but the scope is ${scope}`));
    }
  }
  const tags = keys.get('registration.tags');
  if (tags?.length === 0 && keys.get('registration.run_untagged') === false) {
    const text = 'without tags and run_untagged, no job could reach the runner';
    problems.push(keys.problem('registration.tags', text));
  }
  const repeated = tags?.find((tag, index) => tags.indexOf(tag) !== index);
  if (repeated !== undefined) {
    problems.push(keys.problem('registration.tags', `${show(repeated)} is given twice`));
  }
  return problems;
}

function canaryRules(keys: ResolvedKeys): Problem[] {
  const kind = keys.get('canary.kind');
  const project = keys.get('canary.project');
  if (kind === 'project' && project === undefined && !keys.isRefused('canary.project')) {
    return [keys.problem('canary.kind', 'kind project needs canary.project')];
  }
  if (kind !== undefined && kind !== 'project' && kind !== 'workflow' && project !== undefined) {
    if (!keys.isMeant('canary.project', 'canary.kind')) return [];
    return [keys.problem('canary.project', `requires kind project, but the kind is ${kind}`)];
  }
  return [];
}

function evidenceRules(keys: ResolvedKeys): Problem[] {
  const problems: Problem[] = [];
  const given = (kind: EvidenceKind) => keys.get(`healthcheck.evidence.${kind}`) === 'required';
  if (keys.get('canary.kind') === 'off' && given('canary')) {
    const text = 'required, but canary.kind is off, so no canary can verify a candidate';
    problems.push(keys.problem('healthcheck.evidence.canary', text));
  }
  if (keys.get('host.access') === 'none') {
    for (const kind of ['instance', 'host', 'workload', 'capacity', 'reachability'] as const) {
      if (!given(kind)) continue;
      const text = 'required, but host.access is none, so no host can be checked';
      problems.push(keys.problem(`healthcheck.evidence.${kind}`, text));
    }
  }
  for (const [kind, list] of [
    ['capacity', 'idle_workers'],
    ['reachability', 'reach'],
  ] as const) {
    const value = keys.get(`healthcheck.${list}`);
    const isEmpty = value === 0 || (Array.isArray(value) && value.length === 0);
    if (!given(kind) || !isEmpty) continue;
    const text = `required, but healthcheck.${list} is not set, so there is nothing to check`;
    problems.push(keys.problem(`healthcheck.evidence.${kind}`, text));
  }
  if (isAllOff(keys)) {
    const text = 'every kind of evidence is off, so no candidate could become healthy';
    problems.push(keys.problem('healthcheck.evidence.manager', text));
  }
  return problems;
}

function isAllOff(keys: ResolvedKeys): boolean {
  const canary = keys.get('healthcheck.evidence.canary');
  const canaryOff = canary === 'off' || (canary === undefined && keys.get('canary.kind') === 'off');
  return (
    canaryOff &&
    (['instance', 'manager', 'host', 'workload'] as const).every(
      (kind) => keys.get(`healthcheck.evidence.${kind}`) === 'off',
    )
  );
}

function shardRules(keys: ResolvedKeys): Problem[] {
  const [first, second] = keys.get('shards') ?? [];
  return first !== undefined && first === second
    ? [keys.problem('shards', `the two shards must differ, found ${show(first)} twice`)]
    : [];
}

function hostRules(keys: ResolvedKeys): Problem[] {
  if (keys.get('drain.force_after') === undefined || keys.get('host.access') !== 'none') return [];
  // On GitHub, a runner's removal cancels its job, without host access.
  if (keys.get('runners') === 'github') return [];
  const text = 'killing jobs needs host.access run_command';
  return [keys.problem('drain.force_after', text)];
}
