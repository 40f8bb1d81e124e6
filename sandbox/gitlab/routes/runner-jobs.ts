import { Hono } from 'hono';
import { mayReadBuildsOf, maySeeJobsOf } from '../answers/access.ts';
import { authenticateRunnerAdmin } from '../answers/authentication.ts';
import { answerKeyset, answerPage } from '../answers/pagination.ts';
import { readQuery } from '../answers/parameters.ts';
import { forbidden } from '../answers/refusal.ts';
import { jobWithProject } from '../entities/job.ts';
import type { Instance } from '../instance.ts';
import { JOB_STATUSES, type Job } from '../state.ts';
import { readRunner } from './runner-lookup.ts';

/** Creates the routes for a runner's jobs. An empty list only means that the token sees none. */
export function runnerJobRoutes(instance: Instance): Hono {
  const app = new Hono();

  app.get('/runners/:id{[0-9]+}/jobs', (c) => {
    const { user } = authenticateRunnerAdmin(c, instance);
    const runner = readRunner(c, instance);
    if (!mayReadBuildsOf(instance, user, runner)) throw forbidden('No access granted');
    const query = readQuery(c);
    const status = query.choice('status', JOB_STATUSES);
    const systemId = query.text('system_id');
    const orderBy = query.choice('order_by', ['id']);
    // The default order is by id, oldest first: `sort` only applies together with `order_by`.
    const sort = query.choice('sort', ['asc', 'desc']) ?? 'desc';
    const descending = orderBy !== undefined && sort === 'desc';
    const jobs = instance.state.jobs
      .filter((job) => job.runnerId === runner.id && job.deletedAt === null)
      .filter((job) => status === undefined || job.status === status)
      .filter((job) => systemId === undefined || ranOn(instance, job, systemId))
      .filter((job) => maySeeJobsOf(instance, user, job.projectId))
      .sort((one, other) => (descending ? other.id - one.id : one.id - other.id));
    const page = {
      items: jobs,
      present: (job: Job) => jobWithProject(instance, job),
      baseUrl: instance.baseUrl(),
    };
    return query.text('pagination') === 'keyset'
      ? answerKeyset(c, { ...page, descending })
      : answerPage(c, { ...page, count: systemId === undefined });
  });

  return app;
}

// Compares the manager's record, which a job has only once it runs.
function ranOn(instance: Instance, job: Job, systemId: string): boolean {
  return instance.state.managers.some(
    (row) => row.id === job.managerId && row.systemId === systemId,
  );
}
