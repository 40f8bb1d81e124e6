import { renderFindings } from '../../../src/cli/terminal/findings-view.ts';
import type { StageName } from '../../../src/domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { RegistrationId, Shard } from '../../../src/domain/shard.ts';
import { parseDuration } from '../../../src/domain/text/duration.ts';
import { checkHealth } from '../../../src/operator/check-health.ts';
import { consentOf } from '../../../src/operator/confirm.ts';
import { deploy } from '../../../src/operator/deploy.ts';
import { type Examined, examineStack } from '../../../src/operator/doctor/doctor.ts';
import { repairStack } from '../../../src/operator/doctor/repair.ts';
import { release } from '../../../src/operator/hold-commands.ts';
import type { Recovery } from '../../../src/operator/recover/method-choice.ts';
import { recover } from '../../../src/operator/recover/recover.ts';
import { reportStack, type StackReport } from '../../../src/operator/status-report.ts';
import { activate } from '../../../src/operator/takeover/activate.ts';
import { rollback } from '../../../src/operator/takeover/rollback.ts';
import type { StageContext } from '../../../src/stages/context/context.ts';
import type { RunResult } from '../../../src/stages/context/result.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { purple } from '../../fakes/builders.ts';
import type { Intercept } from '../../fakes/faults/fault-wrapper.ts';
import { atRest } from '../../fakes/invariants/at-rest.ts';
import { createSimulation } from '../../fakes/simulation.ts';
import type { World } from '../../fakes/world/world.ts';
import { type Command, type Drive, drive, type Ending } from '../../stages/drive.ts';
import { asTyped, typing } from '../../support/typing.ts';

/** Behaviour of the world between two calls: a network fault, or an operator at the console. */
export interface Surroundings {
  readonly intercept?: Intercept;
  readonly ownRegistrationId?: string;
  /** Other properties of the run. */
  readonly drive?: Partial<Drive>;
}

const yes = { kind: 'given' } as const;

/** Runs doctor in a terminal. */
export async function examine(world: World, surroundings: Surroundings = {}): Promise<Examined> {
  let seen: Examined | undefined;
  const ending = await typed(world, 'doctor', surroundings, async (context) => {
    seen = await examineStack(context);
    return { kind: 'done', summary: [] };
  });
  if (ending.kind === 'error') throw ending.error;
  if (seen === undefined) throw new Error(`doctor was ${ending.kind}`);
  return seen;
}

/** Returns the report of `status` in a terminal. */
export async function reportOf(
  world: World,
  surroundings: Surroundings = {},
): Promise<StackReport> {
  let report: StackReport | undefined;
  const ending = await typed(world, 'status', surroundings, async (context) => {
    report = await reportStack(context);
    return { kind: 'done', summary: [] };
  });
  if (report === undefined) throw new Error(`status was ${ending.kind}`);
  return report;
}

/** Types a printed command in a terminal, completed like an operator does after reading it. */
export async function type(
  world: World,
  text: string,
  surroundings: Surroundings = {},
): Promise<Ending> {
  const words = text.replace(/^hosted-runner /, '').split(' ');
  const [name = ''] = words;
  const flag = (key: string) => {
    const at = words.indexOf(key);
    return at < 0 ? undefined : words[at + 1];
  };
  if (flag('--runner') !== 'linux') throw new Error(`${text} does not name the stack`);
  return typed(world, text, surroundings, (context) => act(context, { name, flag, words }));
}

interface Words {
  readonly name: string;
  readonly words: readonly string[];
  readonly flag: (key: string) => string | undefined;
}

async function act(context: StageContext, { name, flag, words }: Words): Promise<RunResult> {
  switch (name) {
    case 'doctor':
      if (words.includes('--fix')) await repairStack(context, yes);
      else await examineStack(context);
      return { kind: 'done', summary: [] };
    case 'deploy':
      return deploy(context, flag('--again'));
    case 'release':
      return release(context);
    case 'rollback':
      return rollback(context);
    case 'status':
      await reportStack(context);
      return { kind: 'done', summary: [] };
    case 'healthcheck':
      return checkHealth(context);
    case 'activate': {
      const registration = flag('--registration') as RegistrationId | undefined;
      return activate(context, {
        shard: flag('--shard') as Shard,
        ...(registration === undefined ? {} : { registration }),
      });
    }
    case 'recover': {
      const instance = flag('--instance');
      const address = flag('--address');
      return recover(context, {
        method: (flag('--method') ?? 'cleanup') as Recovery['method'],
        consent: words.includes('--yes') ? yes : consentOf(false, async () => purple),
        ...(words.includes('--although-nothing-serves')
          ? { forceWhenNoneAccepts: true as const }
          : {}),
        ...(instance === undefined ? {} : { instance }),
        ...(address === undefined ? {} : { addresses: [address] }),
      });
    }
    default:
      return runStage(context, name as StageName);
  }
}

async function typed(
  world: World,
  text: string,
  { intercept, ownRegistrationId, drive: chosen = {} }: Surroundings,
  body: (context: StageContext) => Promise<RunResult>,
): Promise<Ending> {
  const simulation = createSimulation({
    world,
    ...(intercept === undefined ? {} : { intercept }),
  });
  world.counters.random += 1;
  const name = text.replace(/^hosted-runner /, '').split(' ')[0] ?? '';
  return drive(simulation, name as Command, {
    deploymentId: `terminal-${world.counters.random}`,
    jobId: `${name} ${world.counters.random}`,
    ci: 'terminal',
    act: body,
    takeLock: text.includes('--take-lock'),
    locks: !['doctor', 'release', 'status', 'healthcheck'].includes(name),
    stack: withFlags(stackOf(world), text),
    ...(ownRegistrationId === undefined ? {} : { ownRegistrationId }),
    ...chosen,
  });
}

/** Applies the keys that a command prints after `--set`. */
function withFlags(stack: StackSettings, text: string): StackSettings {
  const [, key, value = ''] = /--set drain\.(timeout|force_after)=(\S+)/.exec(text) ?? [];
  if (text.includes('--set host.access=run_command'))
    return { ...stack, host: { ...stack.host, access: 'run_command' } };
  if (text.includes('--set bake.on_inconclusive=proceed'))
    return { ...stack, bake: { ...stack.bake, onInconclusive: 'proceed' } };
  if (text.includes('--set bake.on_unhealthy=report'))
    return { ...stack, bake: { ...stack.bake, onUnhealthy: 'report' } };
  const { timeoutMs, ...others } = stack.drain;
  if (key === 'force_after') {
    const forceAfterMs = parseDuration(value) as number;
    return { ...stack, drain: { ...stack.drain, forceAfterMs } };
  }
  return key === 'timeout' && value === 'none' ? { ...stack, drain: others } : stack;
}

export interface Healing {
  /** Diagnoses with their commands, and how each command ended. */
  readonly story: readonly string[];
  /**
   * `healthy`: no leftovers, and one shard accepts jobs. `person`: an operator has to check
   * something.
   */
  readonly ends: 'healthy' | 'person';
  readonly left: readonly string[];
  /** Commands that the operator types without another check. */
  readonly typed: readonly string[];
}

/** Types the commands that doctor prints, one after another, until it prints none. */
export async function heal(
  world: World,
  { byHand, surroundings = {} }: { byHand?: (world: World) => void; surroundings?: Surroundings },
): Promise<Healing> {
  const story: string[] = [];
  const typed: string[] = [];
  let now = surroundings;
  for (let round = 0; round < 6; round += 1) {
    const { findings } = await examine(world, now);
    const [first] = findings;
    if (first === undefined || first.code === 'healthy') break;
    const commands = asTyped(first.commands).filter(
      (command) => !/ doctor --runner \w+$/.test(command),
    );
    story.push(`${first.code}: ${first.seen}`);
    if (first.byHand !== undefined && byHand !== undefined) {
      story.push(`  by hand: ${first.byHand}`);
      byHand(world);
      now = {};
      await createSimulation({ world }).advance(60_000);
    } else if (commands.length === 0) {
      return { story, ends: 'person', left: [], typed };
    }
    for (const command of commands) {
      typed.push(command);
      const ending = await type(world, command, now);
      story.push(`  $ ${command} ▶ ${wordOf(ending)}`);
      if (ending.kind === 'error' && ending.error.exitCode === 3)
        return { story, ends: 'person', left: [], typed };
      if (ending.kind === 'error') break;
    }
  }
  await createSimulation({ world }).advance(3_600_000);
  return { story, ends: 'healthy', left: [...leftBehind(world), ...world.violations], typed };
}

/** Lists leftovers. The canary of an abandoned pipeline ends with its pipeline and is excluded. */
function leftBehind(world: World): string[] {
  return atRest(world).filter((text) => !/^O5: canary job/.test(text));
}

function wordOf(ending: Ending): string {
  if (ending.kind === 'error') return `${ending.error.exitCode} ${ending.error.code}`;
  return ending.kind === 'killed' ? 'killed' : `${ending.kind}, ${ending.phase}`;
}

/** Renders the report without the parts that differ between runs. */
export async function picture(examined: Examined): Promise<string> {
  return (await renderFindings(examined, { logs: false, typed: typing('doctor') }))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

export function stackOf(world: World): StackSettings {
  return world.stacks[0] as StackSettings;
}
