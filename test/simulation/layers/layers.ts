import { formatScenario } from '../beginnings/scenario.ts';
import type { Trouble } from '../explore.ts';
import { allCallSites } from '../faults/call-sites.ts';
import type { FaultMode } from '../faults/fault-modes.ts';
import { actorCount, expectedSteps } from '../orders/interleavings.ts';
import { exploreAll } from './exhaustive.ts';
import type { Answer, Interleaved, Searched, Task } from './tasks.ts';
import type { Workers } from './worker-pool.ts';

/** Findings of one layer, for readers and for the totals. */
export interface LayerReport {
  readonly name: string;
  readonly lines: readonly string[];
  readonly schedules: number;
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly found: string;
  /** Command that repeats the failing schedule. */
  readonly again: string;
}

export interface LayerRequest {
  readonly workers: Workers<Task, Answer>;
  readonly print: (line: string) => void;
}

const command = 'npm run simulate --';

/**
 * Call sites that only a parallel run or a broken customer job reaches. Separate tests cover them.
 */
const besideOthers = [
  // `a job that is assigned and not acknowledged`, test/scenarios/drain/drain-lines.test.ts
  { file: 'src/stages/steps/drain/drain-watch.ts:', call: ' registry.listJobs' },
  // `accepts jobs again by the next run if the first run died, and then the other shard`,
  // test/scenarios/candidate/retreat.test.ts
  { file: 'src/stages/effects/reopen.ts:', call: ' registry.find' },
  { file: 'src/stages/effects/reopen.ts:', call: ' registry.route' },
  // A shared read supplies this value, so the crash occurs at the shared read.
  { file: 'src/stages/steps/candidate/onboard.ts:', call: ' parameters.find' },
  // `leaves no token of a shard whose cleanup finished first`, test/scenarios/github/github-tokens.test.ts
  { file: 'src/operator/renew.ts:', call: ' parameters.remove' },
  // `give no verdict if they fail on both shards at the same time`, test/scenarios/candidate/customers-prove.test.ts
  { file: 'src/stages/steps/switch/customer-watch.ts:', call: ' registry.readJobHistory' },
  // `an outage of both shards causes no rollback, even after it has ended`, test/scenarios/bake/common-outage.test.ts
  { file: 'src/stages/steps/bake/common-outage.ts:', call: ' host.reach' },
  // `a pause that a killed run did not record is undone by the next run`, test/scenarios/drain/failed-drain.test.ts
  { file: 'src/stages/steps/drain/require-other-shard.ts:', call: ' registry.find' },
  // `gives a bad result if the shard no longer takes jobs, and leaves no tag behind`, test/scenarios/bake/end-canary.test.ts
  { file: 'src/stages/steps/bake/end-canary.ts:', call: ' registry.listJobs' },
  // `gets restored by the next run, whichever call was killed`, test/operator/restored-registration.test.ts
  { file: 'src/stages/steps/removal/restore-registration.ts:', call: ' registry.find' },
  // `stays unchanged if the check of its owner was killed`, test/operator/restored-registration.test.ts
  { file: 'src/operator/takeover/registration-choice.ts:', call: ' host.look' },
  // `gets paused by the next run if the first run was killed while it decided on the pause`, test/scenarios/bake/exit-codes.test.ts
  { file: 'src/stages/steps/switch/rollback-error.ts:', call: ' registry.find' },
  // `a cause while no source responds`, test/scenarios/candidate/unhealthy.test.ts
  { file: 'src/stages/steps/healthcheck/diagnosis-facts.ts:', call: ' instances.list' },
  // `gets refused if no plan is possible before its onboarding`, test/scenarios/prepare/repeat-of-rolled-back.test.ts
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
  /** Whether a place without any crash counts as a violation. */
  readonly everySite: boolean;
}

/** Plays every fault, or every pair, at every call from every beginning. */
export async function exhaustive(
  { workers, print }: LayerRequest,
  request: ExhaustiveRequest,
): Promise<LayerReport> {
  const { depth, modes, only, sample = false, brief = false, oneIn = 1 } = request;
  const { machinesOneIn, everySite } = request;
  // The sources are read now, because they may change before the end.
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
      print(`… ${name}: ${counts.runs} schedules, ${troubles.length} violations`);
      // Failures are printed at once, because a layer may take an hour.
      for (const trouble of troubles) printFailure(print, failureOf(trouble));
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

export function printFailure(print: (line: string) => void, { found, again }: Failure): void {
  print(`  ${found}\n    ${again}`);
}

/** Plays `seeds` interleavings of two pipelines, an operator, the runners and GitLab's cleanup. */
export async function interleavings(
  { workers, print }: LayerRequest,
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
      progress(() => print(`… ${done} seeds, ${failures.length} violations`));
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

/** Plays `runs` random sequences of commands and shrinks a failing one. */
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
