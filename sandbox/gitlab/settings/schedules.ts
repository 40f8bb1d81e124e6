import { type Context, Hono } from 'hono';
import { DEVELOPER, MAINTAINER, requireLevel } from '../answers/access.ts';
import { authenticate } from '../answers/authentication.ts';
import { answerPage } from '../answers/pagination.ts';
import { type Parameters, readParameters, readQuery } from '../answers/parameters.ts';
import { invalid, notFound } from '../answers/refusal.ts';
import { moment } from '../entities/moment.ts';
import type { Instance } from '../instance.ts';
import { enterProject } from '../routes/lookup.ts';
import type { Project } from '../state.ts';
import type { PipelineSchedule } from './settings.ts';

const path = '/projects/:id/pipeline_schedules';
const field = String.raw`(?:\*|\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)(?:/\d+)?`;
const cronPattern = new RegExp(`^${field}(?: ${field}){4}$`);

/** Creates the routes for pipeline schedules. No clock starts their pipelines here. */
export function scheduleRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.get(path, (c) => {
    const identity = authenticate(c, instance);
    const { project } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const scope = readQuery(c).choice('scope', ['active', 'inactive'] as const);
    return answerPage(c, {
      items: project.schedules.filter(
        ({ active }) => scope === undefined || active === (scope === 'active'),
      ),
      present: entity,
      baseUrl: instance.baseUrl(),
    });
  });

  app.post(path, async (c) => {
    const identity = authenticate(c, instance);
    const entered = enterProject(c, instance, { identity, needed: DEVELOPER });
    const { project, level } = entered;
    const parameters = await readParameters(c);
    const schedule = {
      ...read(parameters, project),
      id:
        Math.max(
          0,
          ...instance.state.projects.flatMap(({ schedules }) => schedules.map(({ id }) => id)),
        ) + 1,
      ownerId: identity.user.id,
      createdAt: instance.now(),
    };
    // Only Maintainers push to a protected branch by default.
    if (project.protectedBranches.includes(shortName(schedule.ref)) && level < MAINTAINER)
      throw invalid({
        base: ['The current user is not authorized to create the pipeline schedule'],
      });
    project.schedules.push(schedule);
    instance.changed();
    return c.json(entity(schedule), 201);
  });

  app.delete(`${path}/:scheduleId`, (c: Context<object, `${typeof path}/:scheduleId`>) => {
    const identity = authenticate(c, instance);
    const { project, level } = enterProject(c, instance, { identity, needed: DEVELOPER });
    const schedule = project.schedules.find(({ id }) => String(id) === c.req.param('scheduleId'));
    if (schedule === undefined) throw notFound('PipelineSchedule');
    if (schedule.ownerId !== identity.user.id) requireLevel(level, MAINTAINER);
    project.schedules = project.schedules.filter((row) => row !== schedule);
    instance.changed();
    return c.body(null, 204);
  });

  return app;
}

function read(
  parameters: Parameters,
  { branches }: Project,
): Omit<PipelineSchedule, 'id' | 'ownerId' | 'createdAt'> {
  const description = parameters.requiredText('description');
  const ref = parameters.requiredText('ref');
  const cron = parameters.requiredText('cron');
  if (!cronPattern.test(cron)) throw invalid({ cron: ['syntax is invalid'] });
  if (!branches.includes(shortName(ref))) throw invalid({ ref: ['is ambiguous'] });
  return {
    description,
    // GitLab expands a short name.
    ref: `refs/heads/${shortName(ref)}`,
    cron,
    cronTimezone: parameters.text('cron_timezone') ?? 'UTC',
    active: parameters.flag('active') ?? true,
  };
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

function entity(schedule: PipelineSchedule) {
  return {
    id: schedule.id,
    description: schedule.description,
    ref: schedule.ref,
    cron: schedule.cron,
    cron_timezone: schedule.cronTimezone,
    next_run_at: moment(schedule.createdAt + 3_600_000),
    active: schedule.active,
    created_at: moment(schedule.createdAt),
    updated_at: moment(schedule.createdAt),
    owner: { id: schedule.ownerId },
  };
}
