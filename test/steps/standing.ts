import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import { formatStatus } from '../../src/domain/deployment/deployment-status.ts';
import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import { isBefore } from '../../src/domain/deployment/stages-and-steps.ts';
import type { DeploymentId, Shard } from '../../src/domain/shard.ts';
import { PortFailure } from '../../src/ports/failure.ts';
import type { Ports } from '../../src/ports/ports.ts';
import type { HostReport } from '../../src/ports/runner-host.ts';
import type { StageContext } from '../../src/stages/context/context.ts';
import { createRunMemory } from '../../src/stages/context/run-memory.ts';
import { parameterNames } from '../../src/stages/record/parameter-names.ts';
import { recordAt } from '../domain/samples.ts';
import { stackSettings } from '../fakes/builders.ts';
import { typing } from '../support/typing.ts';

/** Responses by port and method. A method that is absent must not be called. */
export type Answers = {
  readonly [Port in keyof Ports]?: Readonly<Record<string, (...args: never[]) => unknown>>;
};

export interface Standing {
  readonly context: StageContext;
  /** Calls of all ports except the clock's, in order. */
  readonly requests: readonly string[];
  readonly written: readonly DeploymentRecord[];
}

/** Prepares a single step between a record and the outside's responses. Waits take no time. */
export function standAlone(
  answers: Answers,
  record: DeploymentRecord = recordAt(),
  fence: () => Promise<void> = async () => undefined,
): Standing {
  const calls: string[] = [];
  const written: DeploymentRecord[] = [];
  const settings = stackSettings();
  const time = { ms: Date.parse('2026-11-02T10:00:00Z') };
  const clock = {
    now: () => time.ms,
    elapsed: () => time.ms,
    async sleep(ms: number) {
      time.ms += ms;
    },
  };
  const status = { value: formatStatus(settings.shards, expectedShard(record)), version: 1 };
  const answered = answering(answers, calls, status) as { registry?: object };
  const traits = {
    registrationsPer: 'shard',
    tokens: 'reusable',
    idleSource: 'counts',
    contactIsLive: false,
    words: gitlabTerms,
  };
  const registry = new Proxy(answered.registry ?? {}, {
    get: (own, name) => (name === 'traits' ? traits : Reflect.get(own, name)),
  });
  const account = { credentialsEnd: () => undefined };
  const ports = { clock, account, ...answered, registry } as unknown as Ports;
  const journal: StageContext['journal'] = {
    through: () => journal,
    read: async () => written.at(-1) ?? record,
    current: () => written.at(-1) ?? record,
    async write(next) {
      written.push(next);
      return next;
    },
    fence,
    lowestVersion: () => 1,
    seenVersion: () => 1,
    ownedBy: () => undefined,
    confirm: async () => undefined,
    version: () => 1,
  };
  const run = { ci: 'gitlab', deploymentId: '1-200' as DeploymentId, jobId: '7001' } as const;
  const log = { section() {}, act() {}, wait() {}, warn() {}, event() {} };
  const context = {
    stage: 'cleanup' as const,
    typed: typing('cleanup'),
    settings,
    run: { ...run, pipelineCreatedAt: record.deployment.pipelineCreatedAt, by: 'deployer' },
    ...{ ports, uncancelable: ports, names: parameterNames(settings), journal, log },
    memory: createRunMemory(),
    forceWhenNoneAccepts: false,
  };
  return { context, requests: calls, written };
}

function expectedShard({ deployment }: DeploymentRecord): Shard {
  const { candidate, phase, retiring = candidate } = deployment;
  return isBefore(phase, 'promoted') ? retiring : candidate;
}

/**
 * Returns Parameter Store without a hold and a token, and with a status that agrees with the
 * record.
 */
function answering(given: Answers, calls: string[], status: unknown) {
  const find = async (name: string) => (name.endsWith('deployment_status') ? status : undefined);
  // No shard could accept jobs here. The availability check has a separate suite.
  const absent = async () => ({ kind: 'absent' });
  const registry = { findByShard: async () => [], find: absent, listWorkers: absent };
  const answers = {
    ...given,
    parameters: { find, ...given.parameters },
    registry: { ...registry, ...given.registry },
    instances: { list: async () => [], ...given.instances },
  } as Answers;
  const ports = ['parameters', 'registry', 'canary', 'pipelines', 'host', 'infrastructure'];
  const named = Object.keys(answers).filter((port) => !ports.includes(port));
  const bound = [...ports, ...named].map((port) => [port, answerPort(port, answers, calls)]);
  return Object.fromEntries(bound);
}

function answerPort(port: string, answers: Answers, calls: string[]): object {
  const methods: Record<string, unknown> = { ...answers[port as keyof Ports] };
  return new Proxy(methods, {
    get(target, name) {
      const answer = target[String(name)];
      if (typeof answer !== 'function') return answer;
      return (...args: unknown[]) => {
        calls.push(`${port}.${String(name)}`);
        return (answer as (...given: unknown[]) => unknown)(...args);
      };
    },
  });
}

export function unreachable(): PortFailure {
  const fields = { source: 'AWS', detail: 'connection reset' };
  return new PortFailure({ kind: 'unreachable', effect: 'none', ...fields });
}

export function report(changes: Partial<HostReport> = {}): HostReport {
  return {
    kind: 'report',
    process: 'running',
    restarts: true,
    jobs: [],
    ready: 'ready',
    log: [],
    ...changes,
  };
}
