import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runnerBinaryUnusable, sandboxRunsAlready } from '../src/errors/sandbox-errors.ts';
import { createAws } from './aws/aws.ts';
import type { Commands } from './aws/commands/commands.ts';
import type { Groups } from './aws/machines/auto-scaling-operations.ts';
import type { Leftovers } from './aws/machines/leftovers.ts';
import { createForward } from './aws/parameters/forward.ts';
import type { Parameters } from './aws/parameters/parameters.ts';
import { createControl } from './control/control.ts';
import { createFaults, type Faults } from './faults.ts';
import { createGitHub, type GitHub } from './github/github.ts';
import type { GitLab } from './gitlab/answers/surface.ts';
import { createGitLab } from './gitlab/gitlab.ts';
import { Fleet } from './hosts/fleet.ts';
import { readRunnerVersion } from './hosts/released-runner.ts';
import { fleetIn, parameterReader } from './hosts/shard-parameters.ts';
import { StackSettings } from './hosts/stack-settings.ts';
import { Stacks } from './hosts/stacks.ts';
import { type Answering, listenAt } from './listening.ts';
import { type SandboxOptions, usualParameterPrefix, usualWindows } from './options.ts';
import { createSignalServers, isOfSignals } from './signals/signal-servers.ts';
import { Signals } from './signals/signals.ts';
import { createSandboxClock, type SandboxClock } from './surroundings/clock.ts';
import { systemRandom } from './surroundings/random.ts';
import { openFolder, type SandboxStore } from './surroundings/store.ts';

export interface Sandbox {
  readonly url: string;
  readonly ssmUrl: string;
  /**
   * Environment for a deployment in this sandbox, including made-up credentials and GitLab's token.
   */
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly gitlab: GitLab;
  readonly github: GitHub;
  readonly parameters: Parameters;
  readonly leftovers: Leftovers;
  readonly groups: Groups;
  readonly commands: Commands;
  readonly fleet: Fleet;
  readonly stacks: Stacks;
  readonly settings: StackSettings;
  readonly signals: Signals;
  /** Switches every machine off and leaves no process. The folder records which machines ran. */
  stop(): Promise<void>;
}

/** Starts the sandbox on loopback. Machines that ran at its last stop boot again. */
export async function startSandbox(given: SandboxOptions): Promise<Sandbox> {
  const options = await withRunnerBinary(given);
  const store = openFolder(options.folder);
  const last = store.load<Ports>('ports') ?? {};
  if (last.web !== undefined) await refuseSecond(options.folder, last.web);
  const parts = createParts(options, store);
  const app = divideWeb(parts);
  const web = await listenAt(app, options.port, last.web);
  parts.address.url = `http://127.0.0.1:${web.port}`;
  const ssm = await listenAt(parts.aws, options.ssmPort, last.ssm).catch(async (error: unknown) => {
    await web.close();
    throw error;
  });
  parts.address.ssmUrl = `http://127.0.0.1:${ssm.port}`;
  store.save('ports', { web: web.port, ssm: ssm.port } satisfies Ports);
  store.flush();
  parts.fleet.resume();
  const passing = setInterval(() => parts.gitlab.tick(), tickMs);
  const { aws: _, address, ...world } = parts;
  return {
    ...world,
    url: address.url,
    ssmUrl: address.ssmUrl,
    environment: environmentOf(parts),
    async stop() {
      clearInterval(passing);
      await parts.fleet.powerOff();
      await Promise.all([web.close(), ssm.close()]);
      parts.gitlab.close();
      store.close();
    },
  };
}

/** Adds the version of the released runner, which decides its abilities. */
async function withRunnerBinary(options: SandboxOptions): Promise<SandboxOptions> {
  if (options.runnerBinary === undefined) return options;
  const runnerBinary = resolve(options.runnerBinary);
  const runnerVersion = await readRunnerVersion(runnerBinary, options.searchPath);
  if (runnerVersion === undefined) throw runnerBinaryUnusable(options.runnerBinary);
  return { ...options, runnerBinary, behaviour: { ...options.behaviour, runnerVersion } };
}

/** Routes requests at one address to GitLab, GitHub, the signals of a bake and the control API. */
function divideWeb(parts: Parts): Answering {
  const control = createControl(parts);
  const servers = createSignalServers(parts.signals, () => parts.clock.now());
  return {
    fetch(request, env) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/sandbox/')) return control.fetch(request, env);
      if (isOfSignals(pathname)) return servers.fetch(request, env);
      const isGitHub = /^\/(?:api\/v3|runner-side)\//.test(pathname);
      return isGitHub ? parts.github.fetch(request) : parts.gitlab.fetch(request);
    },
  };
}

/** Refuses a second sandbox in the same folder: they would overwrite each other's data. */
async function refuseSecond(folder: string, port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`;
  const signal = AbortSignal.timeout(30_000);
  const answer = await fetch(`${url}/sandbox/state`, { signal }).catch(() => undefined);
  const state = answer?.ok
    ? ((await answer.json().catch(() => undefined)) as { folder?: string } | undefined)
    : undefined;
  if (state?.folder === resolve(folder)) {
    throw sandboxRunsAlready({ folder, url });
  }
}

interface Ports {
  web?: number;
  ssm?: number;
}

type Parts = ReturnType<typeof createParts>;

function createParts(options: SandboxOptions, store: SandboxStore) {
  const random = options.random ?? systemRandom();
  const clock = createSandboxClock({
    store,
    ...(options.realNow ? { realNow: options.realNow } : {}),
  });
  const faults = createFaults(random);
  const address = { url: '', ssmUrl: '', folder: resolve(options.folder) };
  const gitlab = createGitLab({
    clock,
    store,
    faults,
    random,
    baseUrl: () => address.url,
    rateLimits: options.rateLimits,
    version: options.gitlabVersion,
    longPollMs: options.longPollMs,
  });
  const github = createGitHub({ clock, store, faults, random, windows: options.github });
  const settings = new StackSettings(store, options.behaviour);
  const windows = { ...usualWindows, ...options.windows };
  const signals = new Signals({ store, now: () => clock.now(), scrapeMs: windows.scrapeMs });
  const forward = options.forwardSsm === undefined ? undefined : createForward(options.forwardSsm);
  const machines = join(options.folder, 'machines');
  mkdirSync(machines, { recursive: true, mode: 0o700 });
  const readParameter = parameterReader({
    prefix: options.parameterPrefix ?? usualParameterPrefix,
    forward,
    parameters: () => aws.parameters,
    now: () => clock.now(),
  });
  const fleet: Fleet = new Fleet({
    store,
    random,
    folder: machines,
    managerCommand: [...options.program, 'sandbox', 'manager'],
    searchPath: options.searchPath,
    runnerBinary: options.runnerBinary,
    now: () => clock.now(),
    gitlabUrl: () => address.url,
    behaviourOf: (place) => settings.read(place),
    readToken: (place) => readParameter(place, 'runner_token'),
    readFleet: async (place) => fleetIn((await readParameter(place, 'runner_fleet'))?.value),
  });
  const admit = options.admit ?? (() => true);
  const aws = createAws({
    store,
    random,
    faults,
    fleet,
    signals,
    windows,
    forward,
    admit,
    now: () => clock.now(),
  });
  const stacks = new Stacks({ store, fleet, settings });
  const { app, ...owned } = aws;
  const shared = { clock, faults, gitlab, github, settings, signals };
  return { ...shared, fleet, stacks, ...owned, aws: app, address };
}

function environmentOf({ address, gitlab, github }: Parts): Record<string, string> {
  return {
    HOSTED_RUNNER_GITLAB_URL: address.url,
    HOSTED_RUNNER_GITLAB_TOKEN: gitlab.deployerToken(),
    HOSTED_RUNNER_GITHUB_TOKEN: github.deployerToken(),
    HOSTED_RUNNER_SANDBOX_URL: address.url,
    AWS_ENDPOINT_URL_SSM: address.ssmUrl,
    AWS_ENDPOINT_URL_STS: address.ssmUrl,
    AWS_ENDPOINT_URL_EC2: address.ssmUrl,
    AWS_ENDPOINT_URL_AUTO_SCALING: address.ssmUrl,
    AWS_ENDPOINT_URL_RESOURCE_GROUPS_TAGGING_API: address.ssmUrl,
    AWS_ENDPOINT_URL_IAM: address.ssmUrl,
    AWS_ENDPOINT_URL_CLOUDWATCH: address.ssmUrl,
    AWS_REGION: 'eu-west-1',
    // Version 1 of the AWS CLI only reads this variable.
    AWS_DEFAULT_REGION: 'eu-west-1',
    // The id differs from a long-lived key's, which every stage would warn about.
    AWS_ACCESS_KEY_ID: 'SANDBOXSANDBOX000000',
    AWS_SECRET_ACCESS_KEY: 'sandbox-has-no-secret',
  };
}

const tickMs = 1000;
