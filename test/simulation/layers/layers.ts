import { formatScenario } from '../beginnings/scenario.ts';
import type { Trouble } from '../explore.ts';
import { allCallSites } from '../faults/call-sites.ts';
import type { FaultMode } from '../faults/fault-modes.ts';
import { actorCount, expectedSteps } from '../orders/interleavings.ts';
import { exploreAll } from './exhaustive.ts';
import type { Answer, Interleaved, Searched, Task } from './tasks.ts';
import type { Workers } from './worker-pool.ts';

/** What one layer found out, for people and for the tally. */
export interface LayerReport {
  readonly name: string;
  readonly lines: readonly string[];
  readonly schedules: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly found: string;
  /** Types the failing schedule again. */
  readonly again: string;
}

export interface LayerRequest {
  readonly workers: Workers<Task, Answer>;
  readonly say: (line: string) => void;
}

const command = 'npm run simulate --';

/** What only another run beside it, or a broken job of a customer, leads to; a test of its own does. */
const besideOthers = [
  // `a job that is assigned and not acknowledged`, test/scenarios/drain/drain-lines.test.ts
  { file: 'src/stages/steps/drain/drain-watch.ts:', call: ' registry.listJobs' },
  // `is given back to them by the next run, where the one that took it died, and then the other shard`,
  // test/scenarios/candidate/retreat.test.ts
  { file: 'src/stages/effects/reopen.ts:', call: ' registry.find' },
  { file: 'src/stages/effects/reopen.ts:', call: ' registry.route' },
  // A shared reading answers it: the call is crashed where that reads.
  { file: 'src/stages/steps/candidate/onboard.ts:', call: ' parameters.find' },
  // `leaves no token of a shard whose cleanup overtook it`, test/scenarios/github/github-tokens.test.ts
  { file: 'src/operator/renew.ts:', call: ' parameters.remove' },
  // `that fail on both shards at a time are no verdict`, test/scenarios/candidate/customers-prove.test.ts
  { file: 'src/stages/steps/switch/customer-watch.ts:', call: ' registry.readJobHistory' },
  // `an outage of both shards takes nothing back`, test/scenarios/bake/common-outage.test.ts
  { file: 'src/stages/steps/bake/common-outage.ts:', call: ' host.reach' },
  // `what a killed run has closed and not noted is opened by the next one`, test/scenarios/drain/failed-drain.test.ts
  { file: 'src/stages/steps/drain/require-other-serves.ts:', call: ' registry.find' },
  // `is bad where the shard takes no job any more, and leaves no tag behind`, test/scenarios/bake/end-canary.test.ts
  { file: 'src/stages/steps/bake/end-canary.ts:', call: ' registry.listJobs' },
  // `at any call has it given back by the next run`, test/operator/restored-registration.test.ts
  { file: 'src/stages/steps/removal/restore-registration.ts:', call: ' registry.find' },
  // `while it is asked whose it is changes nothing`, test/operator/restored-registration.test.ts
  { file: 'src/operator/takeover/registration-choice.ts:', call: ' host.look' },
  // `is closed by the next run where one was killed as it looked whether to close it`, test/scenarios/bake/exit-codes.test.ts
  { file: 'src/stages/steps/switch/rollback-error.ts:', call: ' registry.find' },
  // `where nobody answers who could tell the cause`, test/scenarios/candidate/unhealthy.test.ts
  { file: 'src/stages/steps/healthcheck/diagnosis-facts.ts:', call: ' instances.list' },
  // `and cannot be planned before it is onboarded is asked about`, test/scenarios/prepare/repeat-of-rolled-back.test.ts
  { file: 'src/stages/steps/candidate/repeat-of-rolled-back.ts:', call: ' infrastructure.plan' },
] as const;

export interface ExhaustiveRequest {
  readonly depth: number;
  readonly modes?: readonly FaultMode[];
  readonly only?: string;
  readonly sample?: boolean;
  readonly brief?: boolean;
  readonly machinesOneIn?: number;
  readonly oneIn?: number;
  /** Whether a place that was never crashed counts as a violation. */
  readonly everySite: boolean;
}

/** Every fault, or every pair of them, at every call, from every beginning. */
export async function exhaustive(
  { workers, say }: LayerRequest,
  request: ExhaustiveRequest,
): Promise<LayerReport> {
  const { depth, modes, only, sample = false, brief = false, oneIn = 1 } = request;
  const { machinesOneIn, everySite } = request;
  // The sources may be another version's by the time that this has ended.
  const all = allCallSites(process.cwd());
  const startedAt = performance.now();
  const explored = await exploreAll({
    depth,
    workers,
    brief,
    oneIn,
    ...(modes === undefined ? {} : { modes }),
    ...(only === undefined ? {} : { only }),
    sample,
    ...(machinesOneIn === undefined ? {} : { machinesOneIn }),
    onPart: (name, { counts, troubles }) => {
      say(`… ${name}: ${counts.runs} schedules, ${troubles.length} violations`);
      // A layer may take an hour: what it finds is worth reading before it has ended.
      for (const trouble of troubles) sayFailure(say, failureOf(trouble));
    },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const wanted = all.filter(
    (site) => !besideOthers.some((one) => site.startsWith(one.file) && site.endsWith(one.call)),
  );
  const isWhole = only === undefined && !sample;
  const never = isWhole ? wanted.filter((site) => !explored.crashed.has(site)) : [];
  const worlds = explored.worlds.map((count, left) => `${count} with ${left} to come`).reverse();
  return {
    name: nameOf(request),
    schedules: explored.runs,
    lines: [
      ...(isWhole ? [`call sites crashed: ${all.length - never.length} of ${all.length}`] : []),
      `schedules explored: ${explored.runs}; faults injected: ${explored.faults}; ${rate(explored.runs, seconds)}`,
      ...never.map((site) => `never crashed: ${site}`),
      `faults that nobody can tell from another that was played: ${explored.alike}`,
      `distinct worlds: ${worlds.join(', ')}; brought to rest: ${explored.rests}`,
    ],
    failures: [
      ...explored.troubles.map(failureOf),
      ...(everySite ? never : []).map((site) => ({
        found: `never crashed: ${site}`,
        again: `${command} --depth ${depth}`,
      })),
    ],
  };
}

function nameOf(request: ExhaustiveRequest) {
  const { depth, modes, sample = false, brief = false, oneIn = 1, machinesOneIn } = request;
  const first =
    machinesOneIn === undefined
      ? `depth ${depth}`
      : `machines${depth > 1 ? ' and another fault' : ''}, at one in ${machinesOneIn} calls`;
  const parts = [
    `${first}${modes === undefined ? '' : ' (crashes)'}`,
    ...(brief ? ['in brief'] : []),
    ...(sample ? ['from a sample of the beginnings'] : []),
    ...(oneIn === 1 ? [] : [`a further fault in one of ${oneIn} worlds`]),
  ];
  return parts.join(', ');
}

function failureOf({ going, story, found }: Trouble): Failure {
  const scenario = formatScenario({ ...going.beginning, faults: story });
  return { found: found.join('; '), again: `${command} --scenario '${scenario}'` };
}

export function sayFailure(say: (line: string) => void, { found, again }: Failure): void {
  say(`  ${found}\n    ${again}`);
}

/** So many seeds of two pipelines, a person, the runners and GitLab's clean-up. */
export async function interleavings(
  { workers, say }: LayerRequest,
  { from, seeds }: { from: number; seeds: number },
): Promise<LayerReport> {
  const startedAt = performance.now();
  const progress = every(20_000);
  const share = 250;
  const starts = Array.from(
    { length: Math.ceil(seeds / share) },
    (_, index) => from + index * share,
  );
  const worlds = new Set<string>();
  const failures: Failure[] = [];
  let [done, steps, longest] = [0, 0, 0];
  await Promise.all(
    starts.map(async (start) => {
      const count = Math.min(share, from + seeds - start);
      const answer = (await workers.work({
        kind: 'interleave',
        from: start,
        count,
      })) as Interleaved;
      done += count;
      steps += answer.steps;
      longest = Math.max(longest, answer.longest);
      for (const hash of answer.worlds) worlds.add(hash);
      for (const { seed, found } of answer.failures)
        failures.push({
          found: found.join('; '),
          again: `${command} --interleavings 1 --from ${seed}`,
        });
      progress(() => say(`… ${done} seeds, ${failures.length} violations`));
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const bound = (depth: number) => 1 / (actorCount * expectedSteps ** (depth - 1));
  return {
    name: 'interleavings',
    schedules: seeds,
    lines: [
      `seeds: ${seeds}; ${rate(seeds, seconds)}; steps: ${Math.round(steps / seeds)} on average, ${longest} at most`,
      `distinct worlds at the end: ${worlds.size}`,
      ...[2, 3].map(
        (depth) =>
          `a seed meets a bug of depth ${depth} with at least 1/(n·k^${depth - 1}) = ${bound(depth).toExponential(2)} (n=${actorCount}, k=${expectedSteps}); half of the seeds look for it, together they miss it with at most ${((1 - bound(depth)) ** (seeds / 2)).toPrecision(2)}`,
      ),
    ],
    failures,
  };
}

/** So many random sequences of commands; a failing one is shrunk. */
export async function commandSequences(
  { workers }: LayerRequest,
  { from, runs }: { from: number; runs: number },
): Promise<LayerReport> {
  const startedAt = performance.now();
  const share = 100;
  const shares = Math.ceil(runs / share);
  const failures: Failure[] = [];
  await Promise.all(
    Array.from({ length: shares }, async (_, index) => {
      const seed = from + index;
      const answer = (await workers.work({ kind: 'sequences', seed, runs: share })) as Searched;
      if (answer.failure === undefined) return;
      const { found, steps } = answer.failure;
      failures.push({
        found: found.join('; '),
        again: `${command} --sequence '${JSON.stringify(steps)}'`,
      });
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    name: 'sequences',
    schedules: shares * share,
    lines: [`sequences: ${shares * share}; ${rate(shares * share, seconds)}`],
    failures,
  };
}

function rate(count: number, seconds: number): string {
  return `${Math.round(count / seconds)} per second, ${Math.round(seconds)}s`;
}

function every(ms: number): (act: () => void) => void {
  let last = performance.now();
  return (act) => {
    if (performance.now() - last < ms) return;
    last = performance.now();
    act();
  };
}
