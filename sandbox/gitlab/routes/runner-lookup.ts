import type { Context } from 'hono';
import { readQuery } from '../answers/parameters.ts';
import { noSuchRunner } from '../answers/refusal.ts';
import { isOnline, runnerStatus } from '../contact.ts';
import type { Instance } from '../instance.ts';
import type { Runner } from '../state.ts';

const TYPES = ['instance_type', 'group_type', 'project_type'] as const;
const SCOPES_OF_ALL = ['specific', 'shared'] as const;
const STATUSES = ['active', 'paused', 'online', 'offline', 'never_contacted', 'stale'] as const;

export function readRunner(c: Context, instance: Instance, name = 'id'): Runner {
  const runner = instance.state.runners.find((row) => String(row.id) === c.req.param(name));
  if (runner === undefined) throw noSuchRunner(instance.features);
  return runner;
}

/** Filters runners, for all lists. The default order is oldest first, as in GitLab. */
export function filterRunners(
  c: Context,
  instance: Instance,
  runners: readonly Runner[],
): Runner[] {
  const query = readQuery(c);
  const scope = query.choice('scope', [...SCOPES_OF_ALL, ...TYPES, ...STATUSES]);
  const type = query.choice('type', TYPES);
  const status = query.choice('status', STATUSES);
  const paused = query.flag('paused');
  const tags = query.list('tag_list') ?? [];
  return runners
    .filter((runner) => scope === undefined || isInScope(instance, runner, scope))
    .filter((runner) => type === undefined || runner.type === type)
    .filter((runner) => status === undefined || hasStatus(instance, runner, status))
    .filter((runner) => paused === undefined || runner.paused === paused)
    .filter((runner) => tags.every((tag) => runner.tags.includes(tag)))
    .sort((one, other) => one.id - other.id);
}

type Scope = (typeof SCOPES_OF_ALL | typeof TYPES | typeof STATUSES)[number];

/** Compares the deprecated filter of the lists. */
function isInScope(instance: Instance, runner: Runner, scope: Scope): boolean {
  if (scope === 'specific') return runner.type === 'project_type';
  if (scope === 'shared') return runner.type === 'instance_type';
  const type = TYPES.find((one) => one === scope);
  if (type !== undefined) return runner.type === type;
  return hasStatus(instance, runner, scope as (typeof STATUSES)[number]);
}

function hasStatus(instance: Instance, runner: Runner, status: (typeof STATUSES)[number]): boolean {
  if (status === 'active') return !runner.paused;
  if (status === 'paused') return runner.paused;
  // A stale runner is offline too.
  if (status === 'offline') return isOnline(instance.now(), runner.contactedAt) === false;
  return runnerStatus(instance, runner) === status;
}
