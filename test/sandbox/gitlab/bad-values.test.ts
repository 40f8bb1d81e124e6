import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { badValues } from './bad-values.ts';
import { createGitLabWorld, type GitLabWorld } from './gitlab-world.ts';

let world: GitLabWorld;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  world = createGitLabWorld();
  const body = { runner_type: 'group_type', group_id: 10, tag_list: ['linux'] };
  const runner = await call('POST', '/user/runners', body);
  const pipeline = world.gitlab.createPipeline({ project: 101 });
  ids = {
    RUNNER: String(runner.body.id),
    PIPELINE: String(pipeline.id),
    JOB: String(pipeline.jobs[0]?.id),
  };
});
afterAll(() => world.close());

function call(method: string, path: string, body: Readonly<Record<string, unknown>> = {}) {
  const query = method === 'GET' ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
  return world.call(method, `${path}${query}`, {
    token: world.deployer,
    ...(method === 'GET' ? {} : { body }),
  });
}

test.each(
  badValues.map((row) => [`${row.operation} with ${JSON.stringify(row.bad)}`, row] as const),
)('GitLab refuses %s', async (_, { operation, bad, status = 400, body }) => {
  const [method = '', path = ''] = operation.split(' ');
  const own = path.replace(/[A-Z]{3,}/, (word) => ids[word] ?? word);
  const answer = await call(method, own, bad);
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body });
});
