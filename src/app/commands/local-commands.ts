import type { CommandExit, Handlers } from '../../cli/handler-types.ts';
import { sandboxUnknown } from '../../errors/sandbox-errors.ts';
import type { Program } from '../process-program.ts';

type Reading = 'validate' | 'checkDocument' | 'completion' | 'explain' | 'verify' | 'replay';

type Local = Pick<
  Handlers,
  | Reading
  | 'init'
  | 'demo'
  | 'sandbox'
  | 'sandboxApply'
  | 'sandboxDestroy'
  | 'sandboxSignal'
  | 'sandboxManager'
>;

/** Commands that need no stack: setting up, and the sandbox. */
export function localHandlers(program: Program): Local {
  const { environment, write, signal, clock } = program;
  const stdout = { write };
  const { stderr } = program.own;
  return {
    ...readingHandlers(program),
    init: async (options) => {
      const { initialise } = await import('../../cli/starting/init.ts');
      return initialise(options, program);
    },
    demo: async (options) => {
      const { sandbox } = await import('../../../sandbox/program.ts');
      return sandbox.demo({ ...options, program });
    },
    sandbox: async (options) => {
      const { sandbox } = await import('../../../sandbox/program.ts');
      const folder = options.folder ?? '.hosted-runner/sandbox';
      const searchPath = environment['PATH'] ?? '';
      // Not redacted: what it prints is what the next terminal needs.
      const open = program.own.stdout;
      return exitOf(
        await sandbox.run({
          ...options,
          folder,
          searchPath,
          program: program.command,
          stdout: open,
          signal,
        }),
      );
    },
    sandboxApply: async (options) => {
      const { sandbox } = await import('../../../sandbox/program.ts');
      return exitOf(
        await sandbox.apply({
          ...options,
          sandboxUrl: sandboxUrl(program),
          stdout,
          stderr,
          signal,
        }),
      );
    },
    sandboxDestroy: async (options) => {
      const { sandbox } = await import('../../../sandbox/program.ts');
      return exitOf(
        await sandbox.destroy({
          ...options,
          sandboxUrl: sandboxUrl(program),
          stdout,
          stderr,
          signal,
        }),
      );
    },
    sandboxSignal: async (options) => {
      const { sandbox } = await import('../../../sandbox/program.ts');
      await sandbox.signal({ ...options, sandboxUrl: sandboxUrl(program), signal });
      return 0;
    },
    sandboxManager: async () => {
      const { runManager } = await import('../../../sandbox/manager/child.ts');
      return exitOf(await runManager(program.own, clock.now));
    },
  };
}

/** What only reads files, and prints. */
function readingHandlers(program: Program): Pick<Local, Reading> {
  const reading = { ...program, write: program.show };
  return {
    validate: async (options) => {
      const { validateConfiguration } = await import('../../cli/validate-command.ts');
      return validateConfiguration(options, options.json === true ? program : reading);
    },
    checkDocument: async ({ config: path, overrides, runnerName, output }) => {
      const [{ loadConfiguration, selectStack }, { renderCheckDocument }] = await Promise.all([
        import('../../config/load.ts'),
        import('../../adapters/aws/hosts/check-document.ts'),
      ]);
      const { folder: files, environment } = program;
      const configuration = await loadConfiguration({ files, path, environment, overrides });
      const text = renderCheckDocument(selectStack(configuration, runnerName));
      if (output === undefined) program.write(text);
      else await files.write({ path: output, text, overwrite: true });
      return 0;
    },
    completion: async (options) => {
      const { writeCompletion } = await import('../../cli/help/completion.ts');
      return writeCompletion(options, program);
    },
    explain: async (options) => {
      const { explainCode } = await import('../../cli/help/explain.ts');
      return explainCode(options, options.json ? program : reading);
    },
    verify: async (options) => {
      const { verifyFiles } = await import('../../cli/verify-command.ts');
      return verifyFiles(options, options.json ? program : reading);
    },
    replay: async (options) => {
      const { replayFile } = await import('../../cli/replay-command.ts');
      return replayFile(options, options.json ? program : reading);
    },
  };
}

function exitOf(code: number): CommandExit {
  return code === 0 ? 0 : 1;
}

function sandboxUrl({ environment }: Program): string {
  const url = environment['HOSTED_RUNNER_SANDBOX_URL'];
  if (url === undefined || url === '') throw sandboxUnknown();
  return url;
}
