import type { Opening } from './app.ts';
import type {
  Actions,
  CommandExit,
  CommonOptions,
  StackOptions,
  StageOptions,
} from './cli/actions.ts';
import type { CommandSurroundings } from './cli/validate.ts';
import type { Surroundings } from './compose.ts';
import type { StageName } from './domain/steps.ts';
import { sandboxUnknown } from './errors/world.ts';
import type { ManagerProcess } from './sandbox/manager/child.ts';
import type { StageContext } from './stages/context.ts';
import type { StageResult } from './stages/result.ts';
import type { ClosableLog } from './system/log.ts';

/** What main.ts hands over: the one place where the process itself is touched. */
export interface Process extends Surroundings, CommandSurroundings {
  readonly person: string;
  /** Executable and file of this program, for the sandbox's children. */
  readonly program: readonly string[];
  readonly isTerminal: boolean;
  /** The parts of the process that a runner manager of the sandbox lives by. */
  readonly own: ManagerProcess;
  openLog(options: { evidenceFile?: string | undefined; quiet?: boolean }): Promise<ClosableLog>;
}

export function createActions(process: Process): Actions {
  const stage = (name: StageName, begins: Opening['begins'] = 'never') => {
    return (options: StageOptions) =>
      inSession(process, { name, options, begins }, async (context) => {
        const { runStage } = await import('./stages/walk.ts');
        const until =
          (options as { until?: string }).until === 'healthy' ? { until: 'healthy' as const } : {};
        return runStage(context, name, until);
      });
  };
  return {
    prepare: stage('prepare', 'unless_unfinished'),
    onboard: stage('onboard'),
    provision: stage('provision'),
    promote: stage('promote'),
    shutdown: stage('shutdown'),
    cleanup: stage('cleanup'),
    finalize: stage('finalize'),
    ...operatorActions(process),
    ...localActions(process),
  };
}

type Operator = Pick<
  Actions,
  'healthcheck' | 'deploy' | 'status' | 'rollback' | 'activate' | 'recover' | 'hold' | 'release'
>;

function operatorActions(process: Process): Operator {
  const session = (name: string, options: StageOptions, begins: Opening['begins']) => ({
    name,
    options,
    begins,
  });
  return {
    healthcheck: (options) =>
      inSession(
        process,
        { ...session('healthcheck', options, 'never'), lock: false },
        async (context) => {
          const { checkHealth } = await import('./operator/check-health.ts');
          return checkHealth(context);
        },
      ),
    deploy: (options) =>
      inSession(process, session('deploy', options, 'unless_unfinished'), async (context) => {
        const { deploy } = await import('./operator/deploy.ts');
        return deploy(context);
      }),
    rollback: (options) =>
      inSession(process, session('rollback', options, 'always'), async (context) => {
        const { rollback } = await import('./operator/takeover.ts');
        return rollback(context);
      }),
    activate: (options) =>
      inSession(process, session('activate', options, 'always'), async (context) => {
        const { activate } = await import('./operator/takeover.ts');
        return activate(context, { shard: options.shard });
      }),
    recover: (options) =>
      inSession(process, session('recover', options, 'never'), async (context) => {
        const { recover } = await import('./operator/recover.ts');
        return recover(context, options.method);
      }),
    hold: (options) =>
      inSession(
        process,
        { name: 'hold', options: withoutLock(options), begins: 'always', lock: false },
        async (context) => {
          const { hold } = await import('./operator/hold.ts');
          return hold(context, options.reason);
        },
      ),
    release: (options) =>
      inSession(
        process,
        { name: 'release', options: withoutLock(options), begins: 'always', lock: false },
        async (context) => {
          const { release } = await import('./operator/hold.ts');
          return release(context);
        },
      ),
    status: async (options) => {
      const { showStatus } = await import('./cli/status.ts');
      return showStatus(options, process, (settings, log) => openReading(process, settings, log));
    },
  };
}

function withoutLock(options: StackOptions): StageOptions {
  return { ...options, takeLock: false };
}

type Local = Pick<
  Actions,
  'validate' | 'init' | 'demo' | 'sandbox' | 'sandboxApply' | 'sandboxDestroy' | 'sandboxManager'
>;

function localActions(process: Process): Local {
  const { environment, write, program, signal, clock } = process;
  const stdout = { write };
  return {
    validate: async (options) => {
      const { validateConfiguration } = await import('./cli/validate.ts');
      return validateConfiguration(options, process);
    },
    init: async (options) => {
      const { initialise } = await import('./cli/init.ts');
      return initialise(options, process);
    },
    demo: async (options) => {
      const { runDemo } = await import('./sandbox/demo/demo.ts');
      return runDemo({ ...options, process });
    },
    sandbox: async (options) => {
      const { runSandbox } = await import('./sandbox/command.ts');
      const folder = options.folder ?? '.hosted-runner/sandbox';
      const searchPath = environment['PATH'] ?? '';
      // Not redacted: what it prints is what the next terminal needs.
      const open = process.own.stdout;
      return exitOf(
        await runSandbox({ ...options, folder, searchPath, program, stdout: open, signal }),
      );
    },
    sandboxApply: async (options) => {
      const { runApply } = await import('./sandbox/command.ts');
      return exitOf(
        await runApply({ ...options, sandboxUrl: sandboxUrl(process), stdout, signal }),
      );
    },
    sandboxDestroy: async (options) => {
      const { runDestroy } = await import('./sandbox/command.ts');
      return exitOf(
        await runDestroy({ ...options, sandboxUrl: sandboxUrl(process), stdout, signal }),
      );
    },
    sandboxManager: async () => {
      const { runManager } = await import('./sandbox/manager/child.ts');
      return exitOf(await runManager(process.own, clock.now));
    },
  };
}

function exitOf(code: number): CommandExit {
  return code === 0 ? 0 : 1;
}

function sandboxUrl({ environment }: Process): string {
  const url = environment['HOSTED_RUNNER_SANDBOX_URL'];
  if (url === undefined || url === '') throw sandboxUnknown();
  return url;
}

interface Command {
  readonly name: string;
  readonly options: StageOptions;
  readonly begins: Opening['begins'];
  /** Commands that change nothing of a deployment take no lock. */
  readonly lock?: boolean;
}

async function inSession(
  process: Process,
  { name, options, begins, lock = true }: Command,
  body: (context: StageContext) => Promise<StageResult>,
): Promise<CommandExit> {
  const evidenceFile = options.evidenceFile ?? process.environment['HOSTED_RUNNER_EVIDENCE_FILE'];
  const log = await process.openLog({ evidenceFile });
  try {
    const settings = await readSettings(process, options, options.runnerName);
    const run = await readRun(process, options.deployment);
    const { openSession } = await import('./app.ts');
    const { runSession, runWithoutLock } = await import('./stages/session.ts');
    log.section(`${name} ${settings.runnerName}`);
    const session = await openSession({
      stage: name,
      settings,
      run,
      surroundings: process,
      log,
      takeLock: options.takeLock,
      begins,
    });
    const result = await (lock ? runSession(session, body) : runWithoutLock(session, body));
    tell(log, name, result);
    return 0;
  } finally {
    log.close();
  }
}

function tell(log: ClosableLog, name: string, result: StageResult): void {
  if (result.kind === 'nothing') {
    log.act(`Nothing to do for ${name}: ${result.reason}.`);
    return;
  }
  for (const line of result.summary) log.act(`✔ ${name}: ${line}.`);
}

async function readSettings(process: Process, options: CommonOptions, runnerName: string) {
  const { loadConfiguration, selectStack } = await import('./config/load.ts');
  const configuration = await loadConfiguration({
    readFile: process.folder.read,
    path: options.config,
    environment: process.environment,
    overrides: options.overrides,
  });
  return selectStack(configuration, runnerName);
}

async function readRun(process: Process, deployment: string | undefined) {
  const { detectRun } = await import('./ci/detect-run.ts');
  const given = deployment === undefined ? {} : { HOSTED_RUNNER_DEPLOYMENT: deployment };
  return detectRun({
    ...process,
    environment: { ...process.environment, ...given },
    fetch: globalThis.fetch,
  });
}

async function openReading(
  process: Process,
  settings: Opening['settings'],
  log: ClosableLog,
): Promise<StageContext> {
  const { openSession } = await import('./app.ts');
  const run = await readRun(process, undefined);
  const session = await openSession({
    stage: 'status',
    settings,
    run,
    surroundings: process,
    log,
    takeLock: false,
    begins: 'always',
  });
  return session.context;
}
