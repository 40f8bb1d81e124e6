import { ofAssignments, ofJobs, ofProtocol, ofRegistrations } from './own-conditions.ts';
import { questions } from './questions.ts';
import type { Question, Scene } from './scene.ts';

export type BringAbout = (
  scene: Scene,
  call: string,
) => Promise<Question | undefined> | Question | undefined;

const good = async (scene: Scene, call: string): Promise<Question> => {
  const createQuestion = questions[call];
  if (createQuestion === undefined) throw new Error(`nobody knows how to ask ${call}`);
  return createQuestion(scene);
};

/** Sends the good request with another token. */
const by =
  (tokenOf: (scene: Scene, call: string) => string | undefined): BringAbout =>
  async (scene, call) => ({ ...(await good(scene, call)), token: tokenOf(scene, call) });

const fault =
  (effect: object): BringAbout =>
  async (scene, call) => {
    const question = await good(scene, call);
    const isRunners = /^(?:POST \/jobs|PUT \/jobs|PATCH|POST \/runners\/verify)/.test(call);
    const service =
      isRunners || call === 'POST /runners/reset_authentication_token' ? 'runner' : 'gitlab';
    scene.world.faults.add({ id: 'one', service, effect: effect as { kind: 'maintenance' } });
    return question;
  };

/** Sets a state of the whole GitLab, for every caller. */
const state =
  (effect: { kind: 'maintenance' } | { kind: 'read_only'; bounded: boolean }): BringAbout =>
  async (scene, call) => {
    const question = await good(scene, call);
    scene.world.faults.add({ id: 'one', service: 'gitlab', effect });
    return question;
  };

const ofGroup = (call: string) => call.includes('/groups/');

const instead =
  (pattern: RegExp, replacement: string): BringAbout =>
  async (scene, call) => {
    const question = await good(scene, call);
    return { ...question, path: question.path.replace(pattern, replacement) };
  };

const movedProject: BringAbout = async (scene, call) => {
  const question = await good(scene, call);
  const project = call === 'POST /projects/:id/pipeline' ? 'runners' : 'app';
  scene.world.gitlab.moveProject(`acme/${project}`, 'elsewhere');
  return { ...question, path: question.path.replace(/\d+/, `acme%2F${project}`) };
};

const invalidParameter: BringAbout = async (scene, call) => {
  const question = await good(scene, call);
  const bodies: Record<string, unknown> = {
    'POST /user/runners': { runner_type: 'group' },
    'PUT /runners/:id': { paused: 'perhaps' },
    'POST /projects/:id/runners': { runner_id: 'x' },
    'POST /projects/:id/pipeline': {},
  };
  if (call in bodies) return { ...question, body: bodies[call] };
  const lists = ['GET /runners/all', 'GET /groups/:id/runners', 'GET /projects/:id/runners'];
  if (lists.includes(call)) return { ...question, path: `${question.path}?type=group` };
  if (call === 'GET /projects/:id/pipelines')
    return { ...question, path: `${question.path}?page=x` };
  const ofProject = /^\/(?:projects|groups)\/\d+\//.exec(question.path)?.[0] ?? '/';
  const rest = question.path.slice(ofProject.length).replace(/\d+/, 'x');
  return { ...question, path: `${ofProject}${rest}` };
};

/** Actions that cause each condition of the data, by name. */
const general: Readonly<Record<string, BringAbout>> = {
  'no token, or a token nobody has': by(() => 'glpat-nobody'),
  'expired token': async (scene, call) => {
    const expiresAt = new Date(scene.world.clock.now() - 1000).toISOString();
    const order = { user: 'deployer', scopes: ['api'], expiresAt };
    return { ...(await good(scene, call)), token: scene.world.gitlab.createToken(order).token };
  },
  'revoked token': by(({ world: { gitlab } }) => {
    const { id, token } = gitlab.createToken({ user: 'deployer', scopes: ['api'] });
    gitlab.revokeToken(id);
    return token;
  }),
  'token lacks every scope of the endpoint': by(
    ({ world: { gitlab } }) =>
      gitlab.createToken({ user: 'root', scopes: ['read_repository'] }).token,
  ),
  'user blocked, IP not allowed, terms not accepted': by(
    ({ world: { gitlab } }) =>
      gitlab.createToken({ user: 'blocked', scopes: ['api'], blocked: true }).token,
  ),
  'route unknown to this version': instead(/(\?|$)/, '/of/another/version$1'),
  'the route is unknown': good,
  'parameter invalid': invalidParameter,
  'record locked by another write': fault({ kind: 'status', status: 409 }),
  'too many requests, rack-attack': fault({ kind: 'status', status: 429, retryAfterSeconds: 60 }),
  'internal error': fault({ kind: 'status', status: 500 }),
  'maintenance mode (all versions): any POST, PUT, PATCH, DELETE with JSON': state({
    kind: 'maintenance',
  }),
  'maintenance mode': state({ kind: 'maintenance' }),
  'organization read-only for a bounded time': state({ kind: 'read_only', bounded: true }),
  'organization read-only without an end': state({ kind: 'read_only', bounded: false }),
  'database migrations': fault({ kind: 'migrations' }),
  'creation rate limit': fault({ kind: 'status', status: 429 }),
  'lost a race': fault({ kind: 'status', status: 409 }),

  'project missing or not visible': async (scene, call) => {
    const question = await good(scene, call);
    const path = question.path.replace('/groups/10', '/projects/201');
    return { ...question, path, token: scene.as('none') };
  },
  'group missing or not visible': by((scene) => scene.as('none')),
  'role too low': by((scene, call) =>
    ofGroup(call) ? scene.as('developer') : scene.as(roleBelow(call), projectOf(call)),
  ),
  'role too low on this runner': by((scene) => scene.as('developer')),
  'no runner with this id': async (scene, call) => {
    const question = await good(scene, call);
    if (call === 'POST /projects/:id/runners') return { ...question, body: { runner_id: 4711 } };
    return { ...question, path: question.path.replace(/\/runners\/\d+/, '/runners/4711') };
  },
  'no administrator': by((scene) => scene.owner),
  'neither administrator nor auditor': by((scene) => scene.owner),
  'project path was moved, GET': movedProject,
  'project path was moved, not GET': movedProject,
  'no such pipeline in this project': instead(/pipelines\/\d+/, 'pipelines/4711'),
  'no such job in this project': instead(/jobs\/\d+/, 'jobs/4711'),
  'no member': instead(/all\/1$/, 'all/4711'),
};

function roleBelow(call: string): 'guest' | 'reporter' {
  return call.startsWith('GET') ? 'guest' : 'reporter';
}

function projectOf(call: string): number {
  if (call === 'POST /projects/:id/pipeline') return 101;
  const isAssignment = /^(?:POST|DELETE) \/projects\/:id\/runners/.test(call);
  return isAssignment ? 102 : 201;
}

const own: Readonly<Record<string, BringAbout>> = {
  ...ofRegistrations,
  ...ofAssignments,
  ...ofJobs,
  ...ofProtocol,
};

/** Returns the action that causes this condition of an endpoint; undefined if none is known. */
export function bringing(call: string, condition: string): BringAbout | undefined {
  return own[`${call}: ${condition}`] ?? own[condition] ?? general[condition];
}

export { good };
