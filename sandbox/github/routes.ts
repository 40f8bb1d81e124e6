import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { authenticate, installationToken } from './credentials.ts';
import {
  findRunner,
  forgetAbsent,
  justInTime,
  registrationToken,
  removeRunner,
  showRunner,
} from './fleet.ts';
import { changeRouting, findGroup, showGroup } from './groups.ts';
import type { Instance } from './instance.ts';
import { cancelRun, showJob, showRun, submit } from './jobs.ts';
import { invalid, notFound } from './refusal.ts';
import { ORGANIZATION, REPOSITORY } from './state.ts';
import { versionEnds } from './versions.ts';
import { checkDispatch, requireWorkflow } from './workflows.ts';

const RUNNERS = [
  `/orgs/${ORGANIZATION}/actions/runners`,
  `/repos/${ORGANIZATION}/${REPOSITORY}/actions/runners`,
  `/enterprises/${ORGANIZATION}/actions/runners`,
];
const RUNS = `/repos/${ORGANIZATION}/${REPOSITORY}/actions`;

/** Creates the part of GitHub's REST API that a deployment of runners needs. */
export function apiRoutes(instance: Instance): Hono {
  const app = new Hono();
  app.post('/app/installations/:id/access_tokens', (context) => {
    const authorization = context.req.header('authorization');
    const installation = context.req.param('id');
    const { token, expiresAt } = installationToken(instance, { authorization, installation });
    const permissions = { organization_self_hosted_runners: 'write', actions: 'write' };
    const expires = new Date(expiresAt).toISOString();
    return context.json(
      { token, expires_at: expires, permissions, repository_selection: 'all' },
      201,
    );
  });
  app.use(async (context, next) => {
    authenticate(instance, context.req.header('authorization'));
    await next();
  });
  for (const path of RUNNERS) {
    addRunners(app, instance, path);
    if (!path.startsWith('/repos/')) addGroups(app, instance, path.replace(/s$/, '-groups'));
  }
  addRuns(app, instance);
  return app;
}

function addRunners(app: Hono, instance: Instance, path: string): void {
  app.get(path, (context) => {
    forgetAbsent(instance);
    const all = instance.state.runners;
    const runners = pageOf(context, all).map((runner) => showRunner(instance, runner));
    const answer = { total_count: all.length, runners };
    churn(instance, Number(context.req.query('page') ?? 1));
    return context.json(answer);
  });
  app.post(`${path}/registration-token`, (context) => {
    const { token, expiresAt } = registrationToken(instance);
    return context.json({ token, expires_at: new Date(expiresAt).toISOString() }, 201);
  });
  app.post(`${path}/generate-jitconfig`, async (context) => {
    const body = jitSchema.safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) throw invalid('Validation Failed');
    const { name, labels, runner_group_id: groupId } = body.data;
    const { runner, encodedJitConfig } = justInTime(instance, { name, labels, groupId });
    return context.json({ runner, encoded_jit_config: encodedJitConfig }, 201);
  });
  app.get(`${path}/deprecations/:version`, (context) => {
    const version = context.req.param('version');
    const ends = versionEnds.get(version);
    if (ends === undefined) throw notFound();
    return context.json({ runner_version: version, runtime_deprecates_at: ends });
  });
  app.get(`${path}/:id`, (context) =>
    context.json(showRunner(instance, findRunner(instance, idOf(context)))),
  );
  app.delete(`${path}/:id`, (context) => {
    removeRunner(instance, idOf(context));
    return context.body(null, 204);
  });
  app.put(`${path}/:id/labels`, async (context) => {
    const runner = findRunner(instance, idOf(context));
    const body = z
      .object({ labels: z.array(z.string().min(1)).max(100) })
      .safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) throw invalid('Validation Failed');
    changeRouting(instance, runner, { labels: body.data.labels });
    const { labels } = showRunner(instance, runner) as { labels: unknown[] };
    return context.json({ total_count: labels.length, labels });
  });
}

/** Removes a foreign runner between two pages, if the list is set to change. */
function churn(instance: Instance, page: number): void {
  const { state } = instance;
  const leaving = page === 1 ? state.leaving.shift() : undefined;
  const index = state.runners.findIndex(({ name }) => name === leaving);
  if (index < 0) return;
  state.runners.splice(index, 1);
  instance.changed();
}

/** https://docs.github.com/rest/actions/self-hosted-runner-groups */
function addGroups(app: Hono, instance: Instance, path: string): void {
  const { state } = instance;
  app.get(path, (context) => {
    const groups = pageOf(context, state.groups).map(showGroup);
    return context.json({ total_count: state.groups.length, runner_groups: groups });
  });
  app.get(`${path}/:id/repositories`, (context) => {
    const { repositories } = findGroup(instance, idOf(context));
    const listed = repositories === 'all' ? [] : repositories;
    const rows = pageOf(context, listed).map((name) => ({ full_name: name }));
    return context.json({ total_count: listed.length, repositories: rows });
  });
  app.get(`${path}/:id/organizations`, (context) => {
    const { repositories } = findGroup(instance, idOf(context));
    const listed = repositories === 'all' || repositories.length === 0 ? [] : [ORGANIZATION];
    const organizations = listed.map((login) => ({ login }));
    return context.json({ total_count: listed.length, organizations });
  });
  app.put(`${path}/:id/runners/:runner`, (context) => {
    const { id: groupId } = findGroup(instance, idOf(context));
    changeRouting(instance, findRunner(instance, idOf(context, 'runner')), { groupId });
    return context.body(null, 204);
  });
}

/** https://docs.github.com/rest/actions/self-hosted-runners#create-configuration-for-a-just-in-time-runner-for-an-organization */
const jitSchema = z.object({
  name: z.string().min(1).max(64),
  labels: z.array(z.string().min(1)).min(1).max(100),
  runner_group_id: z.int(),
  work_folder: z.string().default('_work'),
});

function addRuns(app: Hono, instance: Instance): void {
  app.post(`${RUNS}/workflows/:workflow/dispatches`, async (context) => {
    const body = z
      .object({
        ref: z.string().min(1),
        inputs: z.record(z.string(), z.string()).default({}),
        return_run_details: z.boolean().default(false),
      })
      .safeParse(await context.req.json().catch(() => undefined));
    if (!body.success) throw invalid('Validation Failed');
    const workflow = context.req.param('workflow');
    checkDispatch(workflow, body.data);
    const { canary_label: label, canary_id: id } = body.data.inputs;
    const { runId } = submit(instance, {
      workflow,
      title: `canary ${id ?? ''}`.trim(),
      name: 'canary',
      labels: label === undefined ? [] : [label],
      script: ['echo the candidate runs jobs'],
    });
    if (!body.data.return_run_details) return context.body(null, 204);
    const address = `${ORGANIZATION}/${REPOSITORY}/actions/runs/${runId}`;
    return context.json({
      workflow_run_id: runId,
      run_url: `https://github.example.com/api/v3/repos/${address}`,
      html_url: `https://github.example.com/${address}`,
    });
  });
  app.get(`${RUNS}/workflows/:workflow/runs`, (context) => {
    const name = context.req.param('workflow');
    requireWorkflow(name);
    return listRuns(context, instance, ({ workflow }) => workflow === name);
  });
  app.get(`${RUNS}/runs`, (context) => listRuns(context, instance, () => true));
  app.get(`${RUNS}/runs/:id/jobs`, (context) => {
    const jobs = instance.state.jobs.filter(({ runId }) => runId === idOf(context));
    if (jobs.length === 0) throw notFound();
    return context.json({ total_count: jobs.length, jobs: pageOf(context, jobs).map(showJob) });
  });
  app.get(`${RUNS}/jobs/:id`, (context) => {
    const job = instance.state.jobs.find(({ id }) => id === idOf(context));
    if (job === undefined) throw notFound();
    return context.json(showJob(job));
  });
  app.post(`${RUNS}/runs/:id/cancel`, (context) => {
    cancelRun(instance, idOf(context));
    return context.json({}, 202);
  });
}

function listRuns(
  context: Context,
  instance: Instance,
  canPrompt: (run: Instance['state']['runs'][number]) => boolean,
) {
  const status = context.req.query('status');
  const runs = instance.state.runs
    .filter(({ repository }) => repository === `${ORGANIZATION}/${REPOSITORY}`)
    .filter(canPrompt)
    .toReversed()
    .map((run) => showRun(instance, run))
    .filter((run) => status === undefined || (run as { status: string }).status === status);
  // https://docs.github.com/rest/actions/workflow-runs: up to 1,000 results for each search with a filter.
  const isFiltered = filters.some((name) => context.req.query(name) !== undefined);
  const listed = isFiltered ? runs.slice(0, 1000) : runs;
  return context.json({ total_count: runs.length, workflow_runs: pageOf(context, listed) });
}

const filters = ['actor', 'branch', 'check_suite_id', 'created', 'event', 'head_sha', 'status'];

function pageOf<T>(context: Context, rows: readonly T[]): T[] {
  const size = Math.min(100, Number(context.req.query('per_page') ?? 30));
  const page = Number(context.req.query('page') ?? 1);
  return rows.slice((page - 1) * size, page * size);
}

function idOf(context: Context, name = 'id'): number {
  const text = context.req.param(name) ?? '';
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}
