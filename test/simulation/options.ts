import { Command, InvalidArgumentError } from 'commander';
import { places } from '../../model/outcome.ts';
import { allBeginnings } from './beginnings/beginnings.ts';
import {
  actives,
  formatScenario,
  parseScenario,
  recordKinds,
  type Scenario,
} from './beginnings/scenario.ts';
import { allModes, type FaultMode } from './faults/fault-modes.ts';
import { lateModes } from './faults/late-faults.ts';
import { machineModes } from './faults/machine-faults.ts';
import type { Happening } from './orders/sequences.ts';

const playable: readonly FaultMode[] = [...allModes, ...machineModes, ...lateModes];

export interface Options {
  readonly depth?: number;
  readonly crashes: boolean;
  readonly brief: boolean;
  readonly oneIn?: number;
  readonly only?: string;
  readonly sample: boolean;
  readonly anySite: boolean;
  readonly interleavings?: number;
  readonly sequences?: number;
  readonly fleets?: number;
  readonly checked?: number;
  readonly machines?: number;
  readonly repeat?: number;
  readonly from: number;
  readonly scenario?: Scenario;
  readonly trace: boolean;
  readonly sequence?: readonly Happening[];
  readonly report?: string;
  readonly workers?: number;
}

/**
 * Reads the arguments of `npm run simulate --`. A mistake ends the process with exit code 1 and a
 * message.
 */
export function readOptions(argv: readonly string[]): Options {
  return new Command('npm run simulate --')
    .description(
      'Lets every call go wrong in every way; without options, every fault at every call.',
    )
    .option('--depth <faults>', 'so many faults in a schedule: 1, 2 or 3', count)
    .option('--crashes', 'of all faults the deaths alone', false)
    .option(
      '--brief',
      'in the runs after the first, other faults than deaths once at each place',
      false,
    )
    .option(
      '--only <beginning>',
      'only from beginnings whose text starts so: promoted/pink',
      beginning,
    )
    .option(
      '--one-in <n>',
      'a further fault strikes in one of n worlds that a fault has left',
      count,
    )
    .option('--sample', 'only from a sample of the beginnings: ONE_IN, SAMPLE_SEED', false)
    .option('--any-site', 'a place that was never crashed is printed and is no violation', false)
    .option(
      '--interleavings <seeds>',
      'two pipelines, a person, the runners and GitLab by PCT',
      count,
    )
    .option('--sequences <runs>', 'random sequences of commands, shrunk to the shortest', count)
    .option('--fleets <rollouts>', "rollouts of GitHub's runners", count)
    .option(
      '--checked <n>',
      'the independent checker over one in n schedules; 1 with --scenario',
      count,
    )
    .option(
      '--machines <n>',
      'machines of either shard die, hang or lose the network at one in n calls; with --depth 2 before or after another fault',
      count,
    )
    .option('--repeat <samples>', 'so many scenarios twice: the same trace, the same world', count)
    .option('--from <seed>', 'the first seed', count, 1)
    .option(
      '--scenario <text>',
      "plays one schedule: 'promoted/pink/adopted 0:17:crash_after'",
      scenario,
    )
    .option('--trace', 'with --scenario: every call, numbered', false)
    .option('--sequence <json>', 'plays one sequence of commands', sequence)
    .option('--report <file>', 'writes how many layers passed')
    .option('--workers <threads>', 'threads; as many as there are processors if absent', count)
    .allowExcessArguments(false)
    .parse(argv)
    .opts<Options>();
}

function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It is no number above zero.');
  return Number(text);
}

function beginning(text: string): string {
  const all = allBeginnings().map((one) => formatScenario({ ...one, faults: [] }));
  if (!all.some((one) => one.startsWith(text)))
    throw new InvalidArgumentError(`No beginning starts so. There are: ${all.join(', ')}.`);
  return text;
}

function scenario(text: string): Scenario {
  const read = parseScenario(text);
  const known =
    ['nothing', ...places].includes(read.place) &&
    actives.includes(read.active) &&
    recordKinds.includes(read.record) &&
    read.faults.every(({ run, call, mode }) => run >= 0 && call >= 0 && playable.includes(mode));
  if (known) return read;
  throw new InvalidArgumentError(
    `It is written BEGINNING [RUN:CALL:FAULT …], as promoted/pink/adopted 0:17:crash_after. Faults: ${playable.join(', ')}.`,
  );
}

function sequence(text: string): readonly Happening[] {
  try {
    return JSON.parse(text) as readonly Happening[];
  } catch (error) {
    throw new InvalidArgumentError(`It is no JSON: ${String(error)}`);
  }
}
