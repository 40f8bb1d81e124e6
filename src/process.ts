import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createActions } from './actions.ts';
import { type ActionCall, isAction, readAction } from './ci/action.ts';
import { detectCi } from './ci/detect-run.ts';
import type { GitHubResults } from './ci/github-results.ts';
import { logSections } from './ci/sections.ts';
import { openFolder } from './cli/folder.ts';
import { nameOfCommand, runCommandLine } from './cli/run.ts';
import { version } from './config/version.ts';
import { renderError } from './errors/render.ts';
import { asDeployError, cancelled } from './errors/world.ts';
import type { Clock } from './ports/clock.ts';
import type { Program } from './program.ts';
import { createSystemClock } from './system/clock.ts';
import { createLog } from './system/log.ts';
import { createProcessTable, systemMachine } from './system/processes.ts';
import { createSystemRandom } from './system/random.ts';
import { createCallBudget } from './transport/budget.ts';
import { createRedactor, type Redactor } from './transport/redaction.ts';

/** Variables whose values are secrets, whoever set them. */
const secretVariables = [
  'HOSTED_RUNNER_GITLAB_TOKEN',
  'GITLAB_TOKEN',
  'HOSTED_RUNNER_GITHUB_TOKEN',
  'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
  'CI_JOB_TOKEN',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'OIDC_ID_TOKEN',
];

/** Everything but the shortest way out: reads what was asked for, runs it, and says the exit code. */
export async function runProcess({ entry }: { entry: string }): Promise<number> {
  const argv = process.argv.slice(2);
  const environment = process.env;
  // Said once in the documentation instead of in every log: the bundle runs on Node 20 and later.
  environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  // A reader that closes the pipe early (`| head`) is no fault of ours.
  process.stdout.on('error', leaveQuietly);
  process.stderr.on('error', leaveQuietly);
  const exitCode = isAction(argv, environment)
    ? await runAction(entry)
    : await run({ entry, read: () => ({ argv, environment }), redactor: createRedactor() });
  // A child's channel to its parent would keep it alive for ever.
  if (process.connected) process.disconnect();
  return exitCode;
}

interface Start {
  /** The file of this program, for the processes that it starts. */
  readonly entry: string;
  /** Reads what was asked for; throws where that makes no sense. */
  readonly read: () => ActionCall;
  readonly redactor: Redactor;
  readonly results?: GitHubResults;
}

async function runAction(entry: string): Promise<number> {
  const environment = process.env;
  const { openGitHubResults } = await import('./ci/github-results.ts');
  const { createGitHubCommands } = await import('./ci/github-commands.ts');
  const commands = createGitHubCommands({
    environment,
    random: createSystemRandom(),
    write: (text) => process.stdout.write(text),
  });
  const results = openGitHubResults(environment, commands);
  const plain = createRedactor();
  const redactor = {
    ...plain,
    add(secret: string): void {
      plain.add(secret);
      results.mask(secret);
    },
  };
  return run({ entry, read: () => readAction(environment), redactor, results });
}

async function run({ entry, read, redactor, results }: Start): Promise<number> {
  let command = 'hosted-runner';
  let again = command;
  let signal: AbortSignal | undefined;
  try {
    const { argv, environment } = read();
    command = nameOfCommand(argv);
    again = `hosted-runner ${argv.slice(0, 3).join(' ')}`;
    for (const name of secretVariables) redactor.add(environment[name] ?? '');
    const surroundings = openProcess({ entry, environment, redactor, results });
    signal = surroundings.signal;
    return await runCommandLine({
      argv,
      environment,
      version,
      actions: createActions(surroundings),
      write: surroundings.write,
      writeError: (text) => process.stderr.write(redactor.redact(text)),
    });
  } catch (error) {
    const isCancel = signal?.aborted === true && error === signal.reason;
    const known = isCancel ? cancelled(command) : asDeployError(error, again);
    const text = redactor.redact(renderError(command, known.fields));
    process.stderr.write(`${text}\n`);
    results?.tellError(known, text);
    return known.exitCode;
  }
}

function openProcess({
  entry,
  environment,
  redactor,
  results,
}: {
  entry: string;
  environment: ActionCall['environment'];
  redactor: Redactor;
  results: GitHubResults | undefined;
}): Program {
  const clock = createSystemClock();
  const machine = systemMachine({ hostname: hostname() });
  const isTerminal = process.stdout.isTTY === true;
  return {
    environment,
    clock,
    random: createSystemRandom(),
    processes: createProcessTable(machine),
    redactor,
    budget: createCallBudget({ clock }),
    signal: cancelSignal(),
    folder: openFolder(process.cwd()),
    write: (text) => process.stdout.write(redactor.redact(text)),
    person: `${userName()}@${machine.hostname}`,
    command: [process.execPath, fileURLToPath(entry)],
    isTerminal,
    ...(results === undefined ? {} : { publish: results.publish }),
    ...(isTerminal && process.stdin.isTTY === true ? { ask } : {}),
    own: process,
    openLog: async ({ evidenceFile, quiet = false, prefix }) => {
      const evidence =
        evidenceFile === undefined ? undefined : await openEvidence(evidenceFile, clock, redactor);
      const live =
        isTerminal && !quiet && prefix === undefined
          ? (await import('./system/live-line.ts')).createLiveLine({
              stream: process.stdout,
              clock,
            })
          : undefined;
      const write = quiet ? () => {} : (text: string) => process.stdout.write(text);
      return createLog({
        write,
        clock,
        // Sections of several stacks would fold each other's lines.
        sections: prefix === undefined ? logSections(detectCi(environment)) : noSections,
        prefix,
        redact: redactor.redact,
        live,
        evidence,
      });
    },
  };
}

const noSections = { open: () => '', close: () => '' };

async function openEvidence(file: string, clock: Clock, { redact }: Redactor) {
  const { openEvidenceFile } = await import('./system/evidence-file.ts');
  const { createEvidenceLines } = await import('./evidence/lines.ts');
  const run = createSystemRandom().id();
  return createEvidenceLines({ run, clock, redact, write: openEvidenceFile(file) });
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** SIGINT and SIGTERM cancel: waits end at once, no new effect starts (both CIs send them in this order). */
function cancelSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => controller.abort(new Error(`received ${name}`)));
  }
  return controller.signal;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
