import { githubTerms } from '../../../src/adapters/github/github-terms.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { Ports } from '../../../src/ports/ports.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { checkManagers } from '../../../src/stages/steps/healthcheck/managers.ts';
import type { Watch } from '../../../src/stages/steps/healthcheck/watch.ts';
import { pink } from '../../fakes/builders.ts';
import { type Around, composition } from './composition.ts';
import { type Circumstances, deployment, play } from './deployment.ts';

/** Observes all calls, requests, programs and texts with these settings. */
export type Observer = (settings: StackSettings, folder: string) => Promise<string>;

const gitlab = `version: 1
defaults:
  gitlab: { url: https://gitlab.example.com }
  registration: { scope: instance, tags: [linux] }
  infrastructure: { apply: [note, apply, "{shard}"], destroy: [note, destroy, "{shard}"] }
stacks: { linux: {} }
`;
const github = `version: 1
defaults:
  runners: github
  github: { organization: acme }
  registration: { tags: [linux] }
  canary: { kind: workflow, project: acme/app }
  infrastructure: { apply: [note, apply, "{shard}"], destroy: [note, destroy, "{shard}"] }
stacks: { linux: {} }
`;
export const bases = {
  gitlab,
  terraform: gitlab.replace(
    /infrastructure: .*/,
    'infrastructure: { directory: "FOLDER/{runner_name}/{shard}" }',
  ),
  drivers: gitlab.replace(
    'infrastructure: {',
    'infrastructure: { directory: "FOLDER/{runner_name}/{shard}",',
  ),
  repository: github.replace('organization: acme', 'repository: acme/app'),
  enterprise: github.replace('organization: acme', 'enterprise: acme'),
  github,
} as const;

/** Observes a deployment in memory: every call of every port with its time. */
export const deployed =
  (circumstances: Circumstances = {}): Observer =>
  (settings) =>
    deployment(settings, circumstances);

/** Observes the routing of a new shard's registration. */
export const routed: Observer = async (settings) => {
  const trace = await play(settings, { empty: true });
  const routes = trace.filter(({ port, method }) => port === 'registry' && method === 'route');
  return JSON.stringify(routes.map(({ args }) => args));
};

/** Observes what the production ports send, run or log. */
export const observePorts =
  (
    callPorts: (ports: Ports, settings: StackSettings) => readonly Promise<unknown>[],
    around: Omit<Around, 'folder'> = {},
  ): Observer =>
  (settings, folder) =>
    composition(settings, (ports) => callPorts(ports, settings), { ...around, folder });

export const host = 'i-0123456789abcdef0';
export const place = ({ runnerName }: StackSettings) => ({ runnerName, shard: pink });

/**
 * Repeats a deployment's calls of one port on the production port, and observes only what that
 * sends.
 */
const handedOn =
  <Port extends 'registry' | 'signals'>(
    port: Port,
    ...methods: readonly (keyof Ports[Port])[]
  ): Observer =>
  async (settings, folder) => {
    const trace = await play(settings);
    const calls = new Map(
      trace
        .filter((call) => call.port === port && methods.some((method) => method === call.method))
        .map(({ method, args }) => [JSON.stringify([method, args]), { method, args }] as const),
    );
    const sent = await composition(
      settings,
      (ports) =>
        [...calls.values()].map(({ method, args }) => {
          const functions = ports[port] as unknown as Readonly<
            Record<string, (...all: readonly unknown[]) => Promise<unknown>>
          >;
          return functions[method]?.(...args) ?? Promise.reject(new Error(`no ${port}.${method}`));
        }),
      { folder },
    );
    return `sent: ${sent}`;
  };
export const registered = handedOn('registry', 'create');
export const signalsQueried = handedOn('signals', 'readMetric', 'askWebhook');
export const listed = observePorts((ports) => [ports.registry.listWorkers('pink-linux' as never)]);
export const canaryStarted = observePorts(({ canary }) => [canary.start(), canary.findNewest()]);
/** Observes two calls in sequence: the second waits because the first has used up the limit. */
export const paced = observePorts(
  ({ registry }) => [registry.listWorkers('1' as never), registry.listWorkers('2' as never)],
  { longestWaitMs: 45_000 },
);
/** An operator starts this canary. The program finds it and names it. */
export const jobStarted = observePorts(
  ({ canary }) => [canary.start(), canary.findNewest(), Promise.resolve(canary.byHand)],
  { ci: 'gitlab' },
);

/** Observes the evidence of a runner that stays after its job. */
export const managersChecked: Observer = async (settings) => {
  const at = '2026-11-02T08:00:00.000Z';
  const worker = { id: 92, systemId: 'one', createdAt: at, contactedAt: at, execution: 'idle' };
  const registry = {
    traits: { words: githubTerms },
    listWorkers: async () => ({ kind: 'found', value: [{ ...worker, ephemeral: false }] }),
    readEnding: async () => ({ kind: 'none' }),
  };
  const context = { ports: { registry, clock: { now: () => Date.parse(at) } }, settings };
  const watch = {
    entry: { registration: 'pink-linux', highestWorkerBeforeApply: 91 },
    hostChecks: [],
  };
  const { detail } = await checkManagers(
    context as unknown as StageContext,
    watch as unknown as Watch,
  );
  return detail;
};
export const hostChecked = observePorts((ports) => [ports.host.look(host)]);
export const accessProbed = observePorts((ports) => [ports.access.probe()]);
export const inventoryListed = observePorts((ports, settings) => [
  ports.inventory.list(place(settings)),
]);

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const one of events) seen.push(one);
  return seen;
}

const builds = (ports: Ports, settings: StackSettings) => [
  (async () => {
    const plan = await ports.infrastructure.plan(place(settings));
    await all(ports.infrastructure.apply(place(settings), plan));
  })(),
];
export const built = observePorts(builds);
export const timed = observePorts(builds, { notesWaits: true });
export const removed = observePorts((ports, settings) => [
  all(ports.infrastructure.destroy(place(settings))),
]);
export const sought = observePorts((ports, settings) => [
  ports.infrastructure.exists(place(settings)),
]);

export const long = deployed({ longJobMs: 3_600_000 });

/** Observations that do not depend on a row's circumstances. */
export const observers = [
  deployed(),
  long,
  registered,
  listed,
  canaryStarted,
  hostChecked,
  accessProbed,
  inventoryListed,
  built,
  removed,
  sought,
];
