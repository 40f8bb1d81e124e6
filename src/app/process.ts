import { setMaxListeners } from 'node:events';
import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createRunningOrders } from '../adapters/aws/hosts/order-list.ts';
import type { GitHubResults } from '../adapters/ci/github/github-results.ts';
import { createSharedRunners } from '../adapters/gitlab/runners/runner-cache.ts';
import { createOutput, type Output } from '../adapters/system/process-output.ts';
import { createProcessTable, systemMachine } from '../adapters/system/processes.ts';
import { createSystemClock } from '../adapters/system/system-clock.ts';
import { createSystemRandom } from '../adapters/system/system-random.ts';
import { createCallBudget } from '../adapters/transport/budget.ts';
import type { Send } from '../adapters/transport/send.ts';
import { createSlowResponseNotice } from '../adapters/transport/slow-response-notice.ts';
import { createRedactor, type Redactor } from '../adapters/transport/words/redaction.ts';
import { presentable } from '../adapters/transport/words/sanitize.ts';
import { commandFirst } from '../cli/command-first.ts';
import { nameOfCommand, runCommandLine, touchesNothing, wantsJson } from '../cli/command-line.ts';
import { readTyped } from '../cli/command-text.ts';
import { type ActionCall, isAction, readAction } from '../cli/github-action/call.ts';
import { openFolder, withCancel } from '../cli/starting/folder.ts';
import { dress, styleFor } from '../cli/terminal/terminal-style.ts';
import { jsonDocument } from '../domain/output-schema.ts';
import { version } from '../domain/project.ts';
import { knownError } from '../errors/external-errors.ts';
import { outputLost } from '../errors/output-errors.ts';
import { errorAsData, renderError } from '../errors/render.ts';
import { openCredentials } from './compose/compose-credentials.ts';
import { refuseUnsafe, secretsIn } from './environment-check.ts';
import { type Aside, isScreen, logOpener } from './open-log.ts';
import { openSend } from './open-send.ts';
import type { Program } from './process-program.ts';
import { openPrompts } from './question.ts';
import { createHandlers } from './session-handlers.ts';

/** Runs the command line and returns the exit code. Short commands do not load this file. */
export async function runProcess({ entry }: { entry: string }): Promise<number> {
  const argv = process.argv.slice(2);
  const environment = process.env;
  // Suppresses a warning that the documentation contains: the bundle runs on Node 20 and later.
  environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const outputs = { stdout: createOutput(process.stdout), stderr: createOutput(process.stderr) };
  const exitCode = isAction(argv, environment)
    ? await runAction(entry, outputs)
    : await run({
        entry,
        read: () => ({ argv, environment }),
        redactor: createRedactor(),
        ...outputs,
      });
  // A child's channel to its parent would keep the process alive.
  if (process.connected) process.disconnect();
  await Promise.all([outputs.stdout.failure(), outputs.stderr.failure()]);
  // The SDK reads a container's credentials without a time limit, which keeps a process alive.
  setTimeout(() => process.exit(), 1000).unref();
  return exitCode;
}

interface Outputs {
  readonly stdout: Output;
  readonly stderr: Output;
}

interface Start extends Outputs {
  /** File of this program, for the processes that it starts. */
  readonly entry: string;
  /** Reads the command; throws if it is invalid. */
  readonly read: () => ActionCall;
  readonly redactor: Redactor;
  readonly results?: GitHubResults;
}

async function runAction(entry: string, outputs: Outputs): Promise<number> {
  const environment = process.env;
  const { openGitHubResults } = await import('../adapters/ci/github/github-results.ts');
  const { openGitHubCommands } = await import('../adapters/ci/github/github-commands.ts');
  const results = openGitHubResults(environment, await openGitHubCommands(environment));
  const plain = createRedactor();
  const redactor = {
    ...plain,
    add(secret: string): void {
      plain.add(secret);
      results.mask(secret);
    },
  };
  return run({ entry, read: () => readAction(environment), redactor, results, ...outputs });
}

/** Whether programs have already received the end of the command: as an event, or separately. */
interface Reported {
  inJson: boolean;
  error: boolean;
}

async function run(start: Start): Promise<number> {
  const { read, redactor, results, stdout, stderr } = start;
  let command = 'hosted-runner';
  let typed: Program['typed'] = { command, again: () => command };
  let signal: AbortSignal | undefined;
  const reported: Reported = { inJson: false, error: false };
  try {
    const { argv: given, environment } = read();
    const argv = commandFirst(given);
    command = nameOfCommand(argv);
    reported.inJson = wantsJson(argv);
    for (const secret of secretsIn(environment)) redactor.add(secret);
    typed = readTyped(argv, {
      command,
      redact: redactor.redact,
      canPrompt: hasOperator(),
      environment,
    });
    refuseUnsafe(environment);
    const send = await openSend(command, environment, {
      redactor,
      writeError: (text) => stderr.write(text),
    });
    const surroundings = { ...openProcess({ ...start, reported }, environment, send), typed };
    signal = surroundings.signal;
    const exitCode = await runCommandLine({
      argv,
      redact: redactor.redact,
      environment,
      version,
      handlers: createHandlers(surroundings),
      columns: surroundings.style().columns,
      write: surroundings.write,
      writeError: surroundings.showError,
    });
    if (exitCode !== 0) return exitCode;
    const reason = await stdout.failure();
    if (reason !== undefined) throw outputLost({ command, reason });
    return exitCode;
  } catch (error) {
    const isBeside = touchesNothing(command, process.argv);
    const known = knownError(error, { signal, command, typed, isBeside });
    const text = presentable(renderError(command, known.fields), redactor.redact);
    stderr.write(`${dressed(process.stderr)(text)}\n`);
    results?.reportError(known, text);
    if (reported.inJson && !reported.error) {
      const refusal = jsonDocument({ error: errorAsData(known.fields) }, { lines: false });
      stdout.write(presentable(refusal, redactor.redact));
    }
    return known.exitCode;
  }
}

/** Returns whether an operator can be prompted, which makes `--yes` unnecessary. */
function hasOperator(): boolean {
  return process.stdout.isTTY === true && process.stdin.isTTY === true;
}

function openProcess(
  { entry, redactor, results, stdout, stderr, reported }: Start & { readonly reported: Reported },
  environment: ActionCall['environment'],
  send: Send | undefined,
): Omit<Program, 'typed'> {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const machine = systemMachine({ hostname: hostname() });
  const style = () => styleFor(process.stdout, { argv: process.argv, environment: process.env });
  const clean = (text: string) => presentable(text, redactor.redact);
  const shown = (text: string) => dressed(process.stdout)(clean(text));
  let aside: Aside = (print) => print();
  const onPicture = (next: Aside) => {
    aside = next;
  };
  const showError = (text: string) =>
    aside(() => stderr.write(dressed(process.stderr)(clean(text))));
  const { signal, cancel } = openSignals();
  return {
    environment,
    clock,
    random,
    processes: createProcessTable(machine),
    redactor,
    budget: createCallBudget({ clock }),
    running: createRunningOrders(clock),
    shared: createSharedRunners(clock),
    signal,
    slowNotice: createSlowResponseNotice({ clock, signal, report: showError }),
    credentials: openCredentials({ environment, clock, random, redactor }),
    ...(send === undefined ? {} : { send }),
    folder: withCancel(openFolder(process.cwd()), signal),
    clean,
    print: stdout.write,
    write: (text) => stdout.write(clean(text)),
    show: (text) => stdout.write(shown(text)),
    dressed: shown,
    showError,
    outputLost: stdout.lost,
    onPicture,
    style,
    operator: `${userName()}@${machine.hostname}`,
    command: [process.execPath, fileURLToPath(entry)],
    ...(isScreen({ screen: process.stdout, environment }) ? { screen: process.stdout } : {}),
    ...(results === undefined ? {} : { publish: results.publish }),
    ...openPrompts({
      input: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      signal,
      cancel,
    }),
    own: process,
    openLog: logOpener({
      environment,
      clock,
      redactor,
      stdout,
      showError,
      onPicture,
      screen: process.stdout,
      dressing: dressed(process.stdout),
      style,
      onError: () => {
        reported.error = true;
      },
    }),
  };
}

/** Formats text with the present width, because a terminal may be resized at any time. */
function dressed(stream: NodeJS.WriteStream): (text: string) => string {
  const inputs = { argv: process.argv, environment: process.env };
  return (text) => dress(text, styleFor(stream, inputs));
}

const cancelling = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Opens the signals that cancel a run. Both CIs send SIGINT and SIGTERM, in this order. A closed
 * terminal sends SIGHUP, after which no work may continue unattended.
 */
function openSignals() {
  const controller = new AbortController();
  // All open calls listen to this signal. Node otherwise warns from eleven listeners on.
  setMaxListeners(0, controller.signal);
  const cancel = (name: string) => controller.abort(new Error(`received ${name}`));
  for (const name of cancelling) process.on(name, () => cancel(name));
  return { signal: controller.signal, cancel };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
