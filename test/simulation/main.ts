import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import type { Call } from '../fakes/faults/fault-wrapper.ts';
import { callText } from '../fakes/faults/trace.ts';
import type { Scenario } from './beginnings/scenario.ts';
import { checkSchedules } from './layers/checked.ts';
import { checkedSchedules } from './layers/checked-layer.ts';
import { fleetRollouts } from './layers/fleet-layer.ts';
import {
  commandSequences,
  exhaustive,
  interleavings,
  type LayerReport,
  printFailure,
} from './layers/layers.ts';
import { type Answer, runTasks, type Task } from './layers/tasks.ts';
import { repeatSample } from './layers/twice.ts';
import { startWorkers } from './layers/worker-pool.ts';
import { type Options, readOptions } from './options.ts';
import { playSequence } from './orders/sequences.ts';
import { simulate } from './simulate.ts';

if (isMainThread) process.exitCode = await main();
else runTasks(import.meta.url);

async function main(): Promise<number> {
  const options = readOptions(process.argv);
  if (options.scenario !== undefined)
    return options.checked === undefined
      ? printScenario(options.scenario, options.trace)
      : printFindings(options.scenario);
  if (options.sequence !== undefined) {
    const found = await playSequence(options.sequence);
    print(found.length === 0 ? 'nothing is wrong' : found.join('\n'));
    return found.length === 0 ? 0 : 1;
  }
  const reports = await runLayers(options);
  for (const { name, lines, failures } of reports) {
    print(`── ${name}`);
    for (const line of lines) print(line);
    print(`violations: ${failures.length}`);
    for (const failure of failures.slice(0, 60)) printFailure(print, failure);
  }
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(tallyOf(reports)));
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

async function runLayers(options: Options): Promise<LayerReport[]> {
  const { depth, only, from, interleavings: seeds, sequences: runs, fleets: rollouts } = options;
  const { checked: oneIn, repeat: samples, workers: size } = options;
  const workers = startWorkers<Task, Answer>(
    new URL(import.meta.url),
    size === undefined ? {} : { size },
  );
  const request = { workers, print };
  const others = seeds ?? runs ?? samples ?? rollouts ?? oneIn ?? options.machines;
  const reports: LayerReport[] = [];
  if ((depth !== undefined && options.machines === undefined) || others === undefined) {
    const modes = options.crashes ? { modes: ['crash_before', 'crash_after'] as const } : {};
    reports.push(
      await exhaustive(request, {
        depth: depth ?? 1,
        ...modes,
        ...(only === undefined ? {} : { only }),
        sample: options.sample,
        brief: options.brief,
        ...(options.oneIn === undefined ? {} : { oneIn: options.oneIn }),
        // Only a fault other than a crash reaches some places.
        everySite: !options.crashes && !options.anySite,
      }),
    );
  }
  if (options.machines !== undefined)
    reports.push(
      await exhaustive(request, {
        depth: depth ?? 1,
        brief: true,
        machinesOneIn: options.machines,
        ...(only === undefined ? {} : { only }),
        ...(options.oneIn === undefined ? {} : { oneIn: options.oneIn }),
        everySite: false,
      }),
    );
  if (seeds !== undefined) reports.push(await interleavings(request, { from, seeds }));
  if (runs !== undefined) reports.push(await commandSequences(request, { from, runs }));
  if (rollouts !== undefined) reports.push(await fleetRollouts(request, { from, rollouts }));
  if (oneIn !== undefined) reports.push(await checkedSchedules(request, { oneIn }));
  await workers.close();
  if (samples !== undefined) reports.push(await repeatSample(samples));
  return reports;
}

async function printScenario(scenario: Scenario, withTrace: boolean): Promise<number> {
  const onCall = (call: Call) => print(`${call.incarnation} ${call.own} ${callText(call)}`);
  const played = await simulate(scenario, withTrace ? { onCall } : {});
  const { runs, verdict, worldHash, traceHash, struck } = played;
  for (const { order, ended, text } of runs)
    print(`${order.command} (${order.deploymentId}): ${ended}${withTrace ? ` ${text}` : ''}`);
  print(`world ${worldHash}, trace ${traceHash}`);
  if (scenario.faults.length > 0)
    print(`faults that struck: ${struck} of ${scenario.faults.length}`);
  print(verdict.length === 0 ? 'nothing is wrong' : verdict.join('\n'));
  return verdict.length === 0 ? 0 : 1;
}

/** Prints the independent checker's findings for one schedule. */
async function printFindings(scenario: Scenario): Promise<number> {
  const { failures } = await checkSchedules([scenario]);
  const found = failures.flatMap((one) => one.found);
  print(found.length === 0 ? 'nothing is wrong' : found.join('\n'));
  return found.length === 0 ? 0 : 1;
}

/** Formats the totals like jest, for the last line of the whole verification. */
function tallyOf(reports: readonly LayerReport[]) {
  const failed = reports.reduce((sum, { failures }) => sum + failures.length, 0);
  return {
    numPassedTests: reports.filter(({ failures }) => failures.length === 0).length,
    numFailedTests: failed,
    numRuntimeErrorTestSuites: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    success: failed === 0,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
