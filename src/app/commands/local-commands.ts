import type { CommandExit, Handlers } from '../../cli/handler-types.ts';
import { sandboxUnknown } from '../../errors/sandbox-errors.ts';
import type { Program } from '../process-program.ts';
import { questionOf } from '../question.ts';

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

/** Handlers of commands that need no stack: setup, and the sandbox. */
export function localHandlers(program: Program): Local {
  const { environment, write, signal, clock } = program;
  const load = async () => (await import('../../../sandbox/program.ts')).sandbox;
  const { stderr } = program.own;
  const order = () => ({ sandboxUrl: sandboxUrl(program), stdout: { write }, stderr, signal });
  return {
    ...readingHandlers(program),
    init: async (options) => {
      const { initialise } = await import('../../cli/starting/init.ts');
      const request = { command: 'init', isBeside: true } as const;
      const prompt =
        options.json === true
          ? undefined
          : questionOf({ ...program, prompt: program.promptForValue }, request);
      const dialogue = prompt && { prompt, show: program.showError };
      return initialise(options, { ...program, ...(dialogue && { dialogue }) });
    },
    demo: async (options) => (await load()).demo({ ...options, program }),
    sandbox: async ({ folder = '.hosted-runner/sandbox', ...options }) => {
      const sandbox = await load();
      const searchPath = environment['PATH'] ?? '';
      // Not redacted, because the next terminal needs the output.
      const { stdout } = program.own;
      const place = { folder, searchPath, program: program.command };
      return exitOf(await sandbox.run({ ...options, ...place, stdout, signal }));
    },
    sandboxApply: async (options) => exitOf(await (await load()).apply({ ...options, ...order() })),
    sandboxDestroy: async (options) =>
      exitOf(await (await load()).destroy({ ...options, ...order() })),
    sandboxSignal: async (options) => {
      await (await load()).signal({ ...options, ...order() });
      return 0;
    },
    sandboxManager: async () => {
      const { runManager } = await import('../../../sandbox/manager/child.ts');
      return exitOf(await runManager(program.own, clock.now));
    },
  };
}

/** Handlers of commands that only read files and print. */
function readingHandlers(program: Program): Pick<Local, Reading> {
  const reading = { ...program, write: program.show };
  const outputOf = ({ json }: { json?: boolean }) => (json === true ? program : reading);
  return {
    validate: async (options) =>
      (await import('../../cli/validate-command.ts')).validateConfiguration(
        options,
        outputOf(options),
        options.online === true
          ? async (stacks) =>
              (await import('./online-validation.ts')).validateOnline(program, stacks, options)
          : undefined,
      ),
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
    completion: async (options) =>
      (await import('../../cli/help/completion.ts')).writeCompletion(options, program),
    explain: async (options) =>
      (await import('../../cli/help/explain.ts')).explainCode(options, outputOf(options)),
    verify: async (options) =>
      (await import('../../cli/verify-command.ts')).verifyFiles(options, outputOf(options)),
    replay: async (options) =>
      (await import('../../cli/replay-command.ts')).replayFile(options, outputOf(options)),
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
