import type { Place } from '../../model/outcome.ts';
import { stageNames } from '../../src/domain/deployment/stages-and-steps.ts';
import { due } from '../cells/fire.ts';
import { commandsIn } from '../errors/commands-in.ts';
import { deploymentOf } from '../fakes/deployment-of.ts';
import { createSimulation, type SimulationOptions } from '../fakes/simulation.ts';
import { listAcceptingShards, parametersOf, parameterValue } from '../fakes/world/shards.ts';
import type { World } from '../fakes/world/world.ts';
import { stackOf } from '../scenarios/service/promoted.ts';
import { copyWorld } from '../simulation/canonical/clone.ts';
import { type Command, drive, type Ending } from '../stages/drive.ts';

type Still = Pick<SimulationOptions, 'intercept' | 'older'>;

/** Result of an operator who types the printed commands. */
export interface Way {
  readonly story: readonly string[];
  /**
   * `served`: the deployment is done and a shard accepts jobs. Otherwise the code of the last
   * error.
   */
  readonly end: string;
  /** Printed commands that the program refused at this point. */
  readonly refused: readonly string[];
  readonly violations: readonly string[];
}

const halfAnHour = 1_800_000;
/** Time that an operator needs to read and type. */
const toTypeMs = 5000;
const mostSteps = 9;

/** Errors that no command fixes. Each prints what the operator has to do as well. */
export const operatorErrors: ReadonlySet<string> = new Set([
  // An operator restores the status with the printed AWS command line.
  'FactsContradict',
  // Jobs continue, or another pipeline is running.
  'DeploymentBusy',
  'DrainTimedOut',
  // The fix begins with `prepare`, which names the shard to activate.
  'NotPrepared',
  // The machine neither responds nor ends, or GitLab refuses all writes.
  'HealthcheckTimedOut',
  'CanaryFailed',
  'HealthInconclusive',
  // The operator deletes the runner in GitLab.
  'TokenLost',
  'CannotRecover',
  'NothingServes',
  'ServiceUnproven',
  'ReadOnly',
]);

/**
 * Types a command and then the printed commands with an effect, to the end.
 * @param still lasting trouble, which intercepts each call of every run
 */
export async function walkOn(world: World, first: Command, still?: Still): Promise<Way> {
  const story: string[] = [];
  const refused: string[] = [];
  const typed = new Map<Command, number>();
  let next: Command = first;
  let end = 'walks in a circle';
  for (let step = 0; step < mostSteps; step += 1) {
    const ending = await type(world, next, { step, still });
    story.push(`${next}: ${ending.kind === 'error' ? ending.error.code : ending.kind}`);
    typed.set(next, (typed.get(next) ?? 0) + 1);
    if (world.violations.length > 0) break;
    const chosen =
      ending.kind === 'error'
        ? await chooseAmongPrinted(world, ending, { refused, typed, step, still })
        : whatIsDue(world);
    if (chosen === undefined) {
      end = ending.kind === 'error' ? ending.error.code : 'served';
      break;
    }
    if (ending.kind === 'error' && ending.error.exitCode === 75) {
      await createSimulation({ world }).advance(halfAnHour);
      world.violations = [];
    }
    if ((typed.get(chosen) ?? 0) > 2) {
      end = ending.kind === 'error' ? ending.error.code : end;
      break;
    }
    next = chosen;
  }
  return { story, end, refused, violations: world.violations };
}

/** Returns the next command after a success; undefined if none. */
function whatIsDue(world: World): Command | undefined {
  const phase = phaseOf(world);
  const acceptsJobs = listAcceptingShards(world, stackOf(world)).length > 0;
  if (phase === 'done' || phase === 'none')
    return acceptsJobs && phase === 'done' ? undefined : 'deploy';
  return due[phase];
}

/**
 * Returns the first printed command that has an effect and is accepted. Each printed command is
 * tried in a copy of the world.
 */
async function chooseAmongPrinted(
  world: World,
  ending: Ending & { readonly kind: 'error' },
  {
    refused,
    typed,
    step,
    still,
  }: {
    refused: string[];
    typed: ReadonlyMap<Command, number>;
    step: number;
    still: Still | undefined;
  },
): Promise<Command | undefined> {
  if (ending.error.exitCode === 75) return [...typed.keys()].at(-1);
  let chosen: Command | undefined;
  for (const line of commandsIn(ending.error.fields.fix ?? [])) {
    const command = read(line);
    if (command === undefined) continue;
    const tried = await type(copyWorld(world), command, { step: 100 + step, still });
    const isRefused = tried.kind === 'error' && tried.error.exitCode === 2;
    if (isRefused) refused.push(`${ending.error.code} prints "${line}": ${tried.error.code}`);
    else if ((typed.get(command) ?? 0) < 2) chosen ??= command;
  }
  return chosen;
}

/**
 * Returns a printed command with an effect in the simulation's form; undefined for a command that
 * only reads.
 */
function read(line: string): Command | undefined {
  const words = line.replace(/^.*hosted-runner /, '');
  const [name = ''] = words.split(' ');
  const after = (flag: string) => new RegExp(`--${flag} (\\S+)`).exec(words)?.[1];
  if (name === 'activate') return `activate ${after('shard')}` as Command;
  if (name === 'doctor') return words.includes('--fix') ? 'doctor --fix' : undefined;
  if (name === 'recover')
    return words.includes('--although')
      ? 'recover although'
      : (`recover ${after('method') ?? 'auto'}` as Command);
  return named.find((one) => one === name);
}

const named: readonly Command[] = [...stageNames, 'deploy', 'rollback', 'release'];

let jobs = 0;

/**
 * Types a command. A command that begins a deployment gets a new id, and any other uses the
 * record's.
 */
async function type(
  world: World,
  command: Command,
  { step, still }: { step: number; still: Still | undefined },
): Promise<Ending> {
  jobs += 1;
  await createSimulation({ world }).advance(toTypeMs);
  const { id } = deploymentOf(parameterValue(world, parametersOf(stackOf(world)).record));
  const begins = /^(?:deploy|rollback|activate)/.test(command) || id === undefined;
  const deploymentId = begins ? `1-${400 + step}` : id;
  const simulation = createSimulation({ world, ...still });
  return drive(simulation, command, { deploymentId, jobId: `typed ${jobs}` });
}

function phaseOf(world: World): Place {
  const record = parameterValue(world, parametersOf(stackOf(world)).record);
  return (deploymentOf(record).phase ?? 'none') as Place;
}
