import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runReady } from '../by-hand/world/ready-program.ts';
import { type End, startProgram } from '../by-hand/world/running.ts';
import { shortened, type World } from '../by-hand/world/world.ts';

export interface ActionEnd extends End {
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Commands to GitHub on standard output, parsed like GitHub. */
  readonly commands: readonly { readonly name: string; readonly text: string }[];
}

export interface ActionRunning {
  readonly ended: Promise<ActionEnd>;
  kill(signal: NodeJS.Signals): void;
  text(): string;
}

/** GitHub's API with workflow runs, whose jobs are this action. */
export interface GitHub {
  /** Creates a run and returns its id. */
  createRun(): string;
  setRun(id: string, state: { status: string; conclusion?: string }): void;
  setJobs(id: string, jobs: readonly Record<string, unknown>[]): void;
  /** Starts the action as a job of the run, like GitHub's runner. */
  start(call: ActionCall): ActionRunning;
  run(call: ActionCall): Promise<ActionEnd>;
  close(): Promise<void>;
}

export interface ActionCall {
  readonly runId: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly attempt?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** Node binary; by default ACTION_NODE, or the machine's Node. */
  readonly node?: string;
}

const repository = 'acme/runners';
const token = 'ghs_0123456789abcdefghijABCDEFGHIJ';

export async function openGitHub(world: World): Promise<GitHub> {
  const runs = new Map<string, { created_at: string; status: string; conclusion?: string }>();
  const jobs = new Map<string, readonly Record<string, unknown>[]>();
  const server = createServer((request, response) => {
    const [, id = '', part] =
      /^\/repos\/acme\/runners\/actions\/runs\/(\d+)(\/jobs)?(?:\?.*)?$/.exec(request.url ?? '') ??
      [];
    const run = runs.get(id);
    const known = request.headers.authorization === `Bearer ${token}` && run !== undefined;
    const listed = jobs.get(id) ?? [];
    const body = part === undefined ? run : { total_count: listed.length, jobs: listed };
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known ? body : { message: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folders: string[] = [];

  function step(call: ActionCall) {
    const folder = mkdtempSync(join(tmpdir(), 'github-step-'));
    folders.push(folder);
    const files = createFiles(folder);
    const order = {
      args: [],
      env: {
        ...world.environment,
        ...asVariables(shortened),
        ...runnerVariables(call, url),
        ...files.variables,
        ...asInputs(call.inputs),
        ...call.environment,
      },
      cwd: world.folder,
    };
    return { order, read: files.read, node: call.node ?? process.env['ACTION_NODE'] };
  }

  function start(call: ActionCall): ActionRunning {
    const { order, read, node } = step(call);
    const running = startProgram({ ...order, ...(node === undefined ? {} : { node }) });
    return { ...running, ended: running.ended.then((end) => readEnd(end, read)) };
  }

  async function run(call: ActionCall): Promise<ActionEnd> {
    const { order, read, node } = step(call);
    return node === undefined ? readEnd(await runReady(order), read) : start(call).ended;
  }

  return {
    createRun() {
      const id = String(900_000 + runs.size);
      runs.set(id, { created_at: new Date().toISOString(), status: 'in_progress' });
      return id;
    },
    setRun(id, state) {
      runs.set(id, { created_at: runs.get(id)?.created_at ?? '', ...state });
    },
    setJobs: (id, listed) => jobs.set(id, listed),
    start,
    run,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const fileNames = ['OUTPUT', 'STEP_SUMMARY', 'STATE', 'ENV', 'PATH'];

function createFiles(folder: string) {
  const pathOf = (name: string) => join(folder, name);
  for (const name of fileNames) writeFileSync(pathOf(name), '');
  return {
    variables: Object.fromEntries(fileNames.map((name) => [`GITHUB_${name}`, pathOf(name)])),
    read: (name: string) => readFileSync(pathOf(name), 'utf8'),
  };
}

/** Returns the variables that GitHub's runner sets, including the inputs' defaults. */
function runnerVariables({ runId, attempt = 1, inputs }: ActionCall, url: string) {
  return {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_API_URL: url,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: repository,
    GITHUB_RUN_ID: runId,
    GITHUB_RUN_ATTEMPT: String(attempt),
    GITHUB_JOB: `hosted_runner_${inputs['stage'] ?? 'healthcheck'}`,
    GITHUB_ACTOR: 'octocat',
    RUNNER_NAME: 'runner-1',
    INPUT_STAGE: 'healthcheck',
    INPUT_GITHUB_TOKEN: token,
    INPUT_TAKE_LOCK: 'false',
    INPUT_DRAIN_TIMEOUT: '',
  };
}

function asInputs(inputs: ActionCall['inputs']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
}

function asVariables(assignments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const [key = '', value = ''] = assignment.split('=');
      return [`HOSTED_RUNNER_${key.replaceAll('.', '_').toUpperCase()}`, value];
    }),
  );
}

function readEnd(end: End, read: (name: string) => string): ActionEnd {
  const outputs = [...read('OUTPUT').matchAll(/^(\w+)<<(\S+)\n([\s\S]*?)\n?\2$/gm)].map(
    ([, name = '', , value = '']) => [name, value] as const,
  );
  const commands = [...end.stdout.matchAll(/^::([\w-]+)(?: [^\n]*?)?::(.*)$/gm)].map(
    ([, name = '', text = '']) => ({ name, text }),
  );
  if (read('STATE') + read('ENV') + read('PATH') !== '')
    throw new Error('it wrote where it must not');
  return { ...end, outputs: Object.fromEntries(outputs), summary: read('STEP_SUMMARY'), commands };
}

const counts = ['jobs_finished', 'jobs_broken', 'longest_wait_seconds', 'two_shards_seconds'];
/** The cost of a deployment is unknown before its drain. */
export const notDrained = Object.fromEntries(counts.map((name) => [name, '']));
