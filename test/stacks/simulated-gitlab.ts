import { setMaxListeners } from 'node:events';
import { createGitLabClient } from '../../src/adapters/gitlab/gitlab-client.ts';
import { createGitLabRegistry } from '../../src/adapters/gitlab/runners/gitlab-registry.ts';
import { createSharedRunners } from '../../src/adapters/gitlab/runners/runner-cache.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import type { Send } from '../../src/adapters/transport/send.ts';
import { createTransport } from '../../src/adapters/transport/transport.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import {
  type RegistrationId,
  type RunnerName,
  type Shard,
  shardDescription,
} from '../../src/domain/shard.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { RunnerRegistry } from '../../src/ports/registry.ts';
import { pink, purple } from '../fakes/builders.ts';

/** GitLab's adapter, shared by all stacks of one process, over a GitLab that only responds. */
export interface SimulatedGitLab {
  openStack(stack: number): SimulatedStack;
}

export interface SimulatedStack {
  readonly runnerName: RunnerName;
  readonly registrations: Readonly<Record<Shard, RegistrationId>>;
  readonly registry: RunnerRegistry;
}

const url = 'https://gitlab.example.com';
const gitlabMs = 120;
const stacksOfGroup = 50;
const moment = '2026-11-02T07:50:00.000Z';

/**
 * Creates a GitLab in which purple of each stack is paused with a job, and pink accepts jobs.
 * `count` is called for each request.
 */
export function simulateGitLab(clock: Clock, count: () => void): SimulatedGitLab {
  const redactor = createRedactor();
  const shared = createSharedRunners(clock);
  // The budget is unlimited, because a delay would change the number of calls.
  const budget = createCallBudget({ clock, limits: { perMinute: 1e9, burst: 1e9 } });
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const transport = createTransport({
    clock,
    redactor,
    budget,
    random: { id: () => 'abcdefgh12345678', fraction: () => 0.5 },
    signal: () => signal,
    send: async (sending) => {
      count();
      await clock.sleep(gitlabMs);
      return { status: 200, headers: onePage, body: JSON.stringify(answer(sending)) };
    },
  });
  return {
    openStack(stack) {
      const client = createGitLabClient({ url, token: 'glpat-made-up', transport, redactor });
      const scope = { kind: 'group', groupId: 1 + Math.floor(stack / stacksOfGroup) } as const;
      return {
        runnerName: nameOf(stack),
        registrations: {
          [pink]: String(2 * stack + 1) as RegistrationId,
          [purple]: String(2 * stack + 2) as RegistrationId,
        } as Record<Shard, RegistrationId>,
        registry: createGitLabRegistry({ client, scope, shared }),
      };
    },
  };
}

const onePage = new Headers({ 'content-type': 'application/json', 'x-next-page': '' });

function nameOf(stack: number): RunnerName {
  return `stack-${stack}` as RunnerName;
}

/** Decides whether a runner is purple's, which have even ids. */
function isRetiring(id: number): boolean {
  return id % 2 === 0;
}

function answer({ url: { pathname, searchParams }, body }: Parameters<Send>[0]): unknown {
  if (pathname === '/api/graphql') return answerQuery(body ?? '');
  const group = /^\/api\/v4\/groups\/(\d+)\/runners$/.exec(pathname)?.[1];
  if (group !== undefined) return runnersOf(Number(group));
  const [, runner, list] = /^\/api\/v4\/runners\/(\d+)(?:\/(\w+))?$/.exec(pathname) ?? [];
  const id = Number(runner);
  if (runner !== undefined && list === undefined) return describeRunner(id);
  if (list === 'managers') return [manager(id)];
  const status = searchParams.get('status') ?? 'running';
  if (list === 'jobs') return isRetiring(id) && status === 'running' ? [job(id)] : [];
  throw new Error(`the simulated GitLab has no ${pathname}`);
}

function describeRunner(id: number) {
  return {
    id,
    description: shardDescription({
      runnerName: nameOf(Math.floor((id - 1) / 2)),
      shard: isRetiring(id) ? purple : pink,
    }),
    runner_type: 'group_type',
    paused: isRetiring(id),
    tag_list: ['linux'],
    run_untagged: false,
    contacted_at: moment,
    job_execution_status: isRetiring(id) ? 'active' : 'idle',
  };
}

function runnersOf(group: number) {
  const first = 2 * stacksOfGroup * (group - 1) + 1;
  return Array.from({ length: 2 * stacksOfGroup }, (_, at) => describeRunner(first + at));
}

function manager(id: number) {
  return {
    id,
    system_id: 's_1',
    version: '19.2.0',
    created_at: moment,
    contacted_at: moment,
    job_execution_status: isRetiring(id) ? 'active' : 'idle',
  };
}

function job(id: number) {
  const project = { id: 201, path_with_namespace: 'acme/shop' };
  return { id, status: 'running', name: 'build', started_at: moment, web_url: url, project };
}

function answerQuery(body: string) {
  const { query } = JSON.parse(body) as { query: string };
  const queries = [
    ...query.matchAll(/(\w+): runner\(id: "(gid:\/\/gitlab\/Ci::Runner\/(\d+))"\)/g),
  ];
  return {
    data: Object.fromEntries(
      queries.map(([, name = '', gid = '', id]) => {
        const { description, paused } = describeRunner(Number(id));
        return [
          name,
          {
            ...{ id: gid, description, paused, maintenanceNote: null, tagList: ['linux'] },
            ...{ runUntagged: false, contactedAt: moment },
            jobExecutionStatus: paused ? 'ACTIVE' : 'IDLE',
          },
        ];
      }),
    ),
  };
}
