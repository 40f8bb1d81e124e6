import type { GitLabVersion } from '../../../../sandbox/gitlab/answers/versions.ts';
import { createGitLabWorld, type GitLabWorld, type Received } from '../gitlab-world.ts';
import { register, runnerClient } from '../protocol/runner-client.ts';

export interface Question {
  readonly method: string;
  readonly path: string;
  /** Token of a user; absent for an anonymous request. */
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export type Role = 'none' | 'guest' | 'reporter' | 'developer' | 'maintainer' | 'owner' | 'admin';

export interface OwnRunner {
  readonly id: number;
  readonly token: string;
  readonly client: ReturnType<typeof runnerClient>;
}

/** GitLab of one version, with the actions that cause a response. */
export interface Scene {
  readonly version: GitLabVersion;
  readonly world: GitLabWorld;
  readonly owner: string;
  send(question: Question): Promise<Received>;
  /** Returns a token of a user with this role in the group, or in the project alone. */
  as(role: Role, project?: number): string;
  /** Registers a runner, with a contact by default. */
  runner(settings?: Record<string, unknown>, setup?: { contacts?: boolean }): Promise<OwnRunner>;
  projectRunner(settings?: Record<string, unknown>): Promise<OwnRunner>;
  instanceRunner(): Promise<OwnRunner>;
  /** Creates a job that a runner plays. With `twoPhase`, it is only offered to the runner. */
  job(setup?: { twoPhase?: boolean; runner?: OwnRunner }): Promise<OwnJob>;
  close(): void;
}

export interface OwnJob {
  readonly id: number;
  readonly token: string;
  readonly pipelineId: number;
  readonly runner: OwnRunner;
}

let people = 0;

export function createScene(
  version: GitLabVersion,
  options: { rateLimits?: 'gitlab.com' } = {},
): Scene {
  const world = createGitLabWorld(undefined, 7, { version, longPollMs: 0, ...options });
  const admin = world.gitlab.createToken({ user: 'root', scopes: ['api'], accessLevel: 'admin' });

  async function ownRunner(
    { id, token }: { id: number; token: string },
    { contacts = true, twoPhase = false } = {},
  ): Promise<OwnRunner> {
    const client = runnerClient(world, token, { systemId: 's_89e5e9956577', twoPhase });
    if (contacts) await client.request();
    return { id, token, client };
  }

  return {
    version,
    world,
    owner: world.deployer,
    send: ({ method, path, ...sent }) => world.call(method, path, { ...sent } as object),
    as(role, project) {
      people += 1;
      const place = project === undefined ? {} : { project };
      const order = { user: `person-${people}`, scopes: ['api'], accessLevel: role, ...place };
      return world.gitlab.createToken(order).token;
    },
    async runner(settings = {}, setup = {}) {
      const described = {
        description: 'hosted-runner/linux/blue',
        tag_list: ['linux', 'docker'],
        run_untagged: false,
        maintenance_note: 'note',
      };
      return ownRunner(await register(world, { ...described, ...settings }), setup);
    },
    async projectRunner(settings = {}) {
      const project = { runner_type: 'project_type', project_id: 201, description: 'blue' };
      return ownRunner(await register(world, { ...project, ...settings }));
    },
    async instanceRunner() {
      const body = { runner_type: 'instance_type', tag_list: ['linux'] };
      const made = await world.call('POST', '/user/runners', { token: admin.token, body });
      return ownRunner(made.body);
    },
    async job({ twoPhase = false, runner } = {}) {
      const { id, token } = runner ?? (await register(world, { tag_list: ['linux'] }));
      const own = await ownRunner({ id, token }, { contacts: false, twoPhase });
      const order = { project: 201, tags: ['linux'], script: ['true'], name: 'canary' };
      const { pipelineId } = world.gitlab.submitJob(order);
      const { body } = await own.client.request();
      return { id: body.id, token: body.token, pipelineId, runner: own };
    },
    close: () => world.close(),
  };
}
