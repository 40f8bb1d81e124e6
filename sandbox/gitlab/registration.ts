import type { Parameters } from './answers/parameters.ts';
import { badParameter } from './answers/refusal.ts';
import type { Instance } from './instance.ts';
import { digestOf, newToken } from './secrets.ts';
import type { Runner, RunnerType } from './state.ts';

const NOTE_MAX_CHARACTERS = 1024;
const TAGS_MAX = 50;
const TIMEOUT_MIN_SECONDS = 600;
const ACCESS_LEVELS = ['not_protected', 'ref_protected'] as const;

/** Settings of a runner that can be set at its creation and changed later. */
export interface RunnerSettings {
  description?: string;
  paused?: boolean;
  locked?: boolean;
  accessLevel?: Runner['accessLevel'];
  runUntagged?: boolean;
  tags?: string[];
  maximumTimeoutSeconds?: number;
  maintenanceNote?: string;
}

export function readSettings(parameters: Parameters): RunnerSettings {
  if (parameters.has('active') && parameters.has('paused')) {
    throw badParameter('active, paused are mutually exclusive');
  }
  const active = parameters.flag('active');
  return withoutAbsent({
    description: parameters.text('description'),
    paused: active === undefined ? parameters.flag('paused') : !active,
    locked: parameters.flag('locked'),
    accessLevel: parameters.choice('access_level', ACCESS_LEVELS),
    runUntagged: parameters.flag('run_untagged'),
    tags: parameters.list('tag_list'),
    maximumTimeoutSeconds: parameters.integer('maximum_timeout'),
    maintenanceNote: parameters.text('maintenance_note'),
  });
}

/** Detects a project runner whose projects are all deleted. */
export function isOrphan(runner: Runner): boolean {
  return runner.type === 'project_type' && runner.projectIds.length === 0;
}

/** Lists the problems that GitLab's model finds, by field. */
export function problemsOf(runner: Runner): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  if (!runner.runUntagged && runner.tags.length === 0) {
    problems['tags_list'] = ['can not be empty when runner is not allowed to pick untagged jobs'];
  }
  if (runner.tags.length > TAGS_MAX) {
    problems['tags_list'] = [
      `Too many tags specified. Please limit the number of tags to ${TAGS_MAX}`,
    ];
  }
  // Ruby counts code points.
  if ([...(runner.maintenanceNote ?? '')].length > NOTE_MAX_CHARACTERS) {
    problems['maintenance_note'] = [`is too long (maximum is ${NOTE_MAX_CHARACTERS} characters)`];
  }
  if ((runner.maximumTimeoutSeconds ?? TIMEOUT_MIN_SECONDS) < TIMEOUT_MIN_SECONDS) {
    problems['maximum_timeout'] = ['needs to be at least 10 minutes'];
  }
  return problems;
}

/** Returns the stored form of a new token, with its expiry if it has one. */
export function sealedToken(
  { state, now }: Instance,
  token: string,
): { tokenDigest: string; tokenExpiresAt: number | null } {
  const { runnerTokenSeconds: seconds } = state;
  const tokenExpiresAt = seconds === undefined ? null : now() + seconds * 1000;
  return { tokenDigest: digestOf(token), tokenExpiresAt };
}

/** Creates a runner that is not stored yet, and returns its token, once. */
export function draftRunner(
  instance: Instance,
  {
    type,
    groupId,
    projectId,
    userId,
    settings,
  }: {
    type: RunnerType;
    groupId: number | null;
    projectId: number | null;
    userId: number;
    settings: RunnerSettings;
  },
): { runner: Runner; token: string } {
  const token = newToken(instance.random, 'glrt-');
  const runner: Runner = {
    id: 0,
    ...sealedToken(instance, token),
    type,
    groupId,
    projectIds: projectId === null ? [] : [projectId],
    description: null,
    maintenanceNote: null,
    paused: false,
    locked: false,
    accessLevel: 'not_protected',
    runUntagged: true,
    tags: [],
    maximumTimeoutSeconds: null,
    createdById: userId,
    createdAt: instance.now(),
    updatedAt: instance.now(),
    contactedAt: null,
    ...settings,
  };
  return { runner, token };
}

type Loose<T> = { [K in keyof T]: T[K] | undefined };

function withoutAbsent(settings: Required<Loose<RunnerSettings>>): RunnerSettings {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as RunnerSettings;
}
