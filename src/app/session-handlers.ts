import type {
  BeginningOptions,
  CommandExit,
  Handlers,
  ProvisionOptions,
  ReportedOptions,
  StageOptions,
} from '../cli/handler-types.ts';
import {
  type SessionCommand,
  type StageName,
  stageNames,
} from '../domain/deployment/stages-and-steps.ts';
import type { StageContext } from '../stages/context/context.ts';
import type { Refuse } from '../stages/run/session.ts';
import type { StageRequest } from '../stages/run/stage-refusals.ts';
import { inSession } from './command-session.ts';
import { localHandlers } from './commands/local-commands.ts';
import { chooseShard } from './many-stacks/stack-choice.ts';
import type { Program } from './process-program.ts';
import { questionOf } from './question.ts';

export function createHandlers(program: Program): Handlers {
  return {
    ...stageHandlers(program),
    finalizeAll: async (options) =>
      (await import('./commands/finalize-all-command.ts')).finalizeAll(program, options),
    ...operatorHandlers(program),
    ...localHandlers(program),
    setup: async (options) =>
      (await import('./commands/setup-gitlab-command.ts')).setUpProject(program, options),
    listStacks: async (config) =>
      (await import('./many-stacks/stack-choice.ts')).listStackNames(program, config),
  };
}

function stageHandlers(program: Program): Pick<Handlers, StageName> {
  type Options = StageOptions & Partial<ProvisionOptions & BeginningOptions>;
  const run = (name: StageName) => (options: Options) => {
    const until = options.until === undefined ? {} : { until: options.until };
    const refuse = refusing({ stage: name, ...until });
    const { againBecause } = options;
    return inSession(program, { name, options, picture: true, refuse }, async (context) => {
      const { runStage } = await import('../stages/run/run-stage.ts');
      return runStage(context, name, { ...until, againBecause });
    });
  };
  return Object.fromEntries(stageNames.map((name) => [name, run(name)])) as Record<
    StageName,
    ReturnType<typeof run>
  >;
}

function refusing(request: StageRequest): Refuse {
  return async (context) => {
    const { judgeStage } = await import('../stages/run/stage-refusals.ts');
    await judgeStage(context, request, { isLocked: false });
  };
}

type Operator = Omit<
  Handlers,
  keyof ReturnType<typeof localHandlers> | StageName | 'finalizeAll' | 'listStacks' | 'setup'
>;

function operatorHandlers(program: Program): Operator {
  // The bare name is enough: suggested commands are built from the command line.
  const session = (name: SessionCommand, options: StageOptions) => ({ name, options });
  return {
    healthcheck: async (options) =>
      (await import('./commands/healthcheck-command.ts')).runHealthcheckCommand(program, options),
    deploy: (options) => deployAll(program, options),
    rollback: (options) => {
      const load = () => import('../operator/takeover/rollback.ts');
      return inSession(
        program,
        {
          ...session('rollback', options),
          refuse: async (context) => (await load()).judgeRollback(context),
        },
        async (context) => (await load()).rollback(context, options.reason),
      );
    },
    activate: (options) => {
      const load = () => import('../operator/takeover/activate.ts');
      const typed = async ({ settings }: StageContext) => ({
        ...options,
        shard: await chooseShard(settings, options.shard),
      });
      return inSession(
        program,
        {
          ...session('activate', options),
          shard: options.shard,
          refuse: async (context) => (await load()).judgeActivation(context, await typed(context)),
        },
        async (context) => (await load()).activate(context, await typed(context)),
      );
    },
    recover: async (options) => {
      const { consentOf } = await import('../operator/confirm.ts');
      const { method, yes, addresses, instance, runnerName: runner } = options;
      const prompt = questionOf(program, { command: 'recover', runner });
      const recovery = {
        method,
        addresses,
        consent: consentOf(yes, prompt),
        ...(instance === undefined ? {} : { instance }),
        ...(options.forceWhenNoneAccepts && { forceWhenNoneAccepts: true as const }),
      };
      const load = () => import('../operator/recover/recover.ts');
      const loadRefusal = () => import('../operator/recover/recovery-preflight.ts');
      return inSession(
        program,
        {
          ...session('recover', options),
          refuse: async (context) => (await loadRefusal()).refuseRecovery(context, recovery),
        },
        async (context) => (await load()).recover(context, recovery),
      );
    },
    ...unlockedHandlers(program),
    doctor: async (options) =>
      (await import('./commands/doctor-command.ts')).showDoctor(program, options),
    status: async (options) =>
      (await import('./commands/status-command.ts')).showStatus(program, options),
    dashboard: async (options) =>
      (await import('./commands/dashboard-command.ts')).showDashboard(program, options),
  };
}

async function deployAll(program: Program, options: BeginningOptions): Promise<CommandExit> {
  const refuse = refusing({ stage: 'prepare' });
  const command = { name: 'deploy' as const, options, picture: true, refuse };
  return inSession(program, command, async (context) => {
    const { deploy } = await import('../operator/deploy.ts');
    return deploy(context, options.againBecause);
  });
}

/** Handlers of commands that do not change a deployment. */
function unlockedHandlers(program: Program): Pick<Handlers, 'hold' | 'release' | 'renew'> {
  const session = (name: SessionCommand, options: ReportedOptions) => ({
    name,
    options: { ...options, takeLock: false },
    lock: false,
  });
  return {
    hold: (options) =>
      inSession(program, { ...session('hold', options), usesGitLab: false }, async (context) => {
        const { hold } = await import('../operator/hold-commands.ts');
        return hold(context, options.reason);
      }),
    release: (options) =>
      inSession(program, { ...session('release', options), usesGitLab: false }, async (context) => {
        const { release } = await import('../operator/hold-commands.ts');
        return release(context);
      }),
    renew: (options) =>
      inSession(program, session('renew', options), async (context) => {
        const { renew } = await import('../operator/renew.ts');
        return renew(context);
      }),
  };
}
