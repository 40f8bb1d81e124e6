import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { init } from '../../cli/initialised.ts';
import { describeWithTools } from '../../support/tools.ts';
import {
  type CiJob,
  type Configuration,
  exampleNames,
  isNever,
  renderExample,
  renderPipeline,
} from '../../templates/configuration.ts';
import { previewLocally } from './local-runner.ts';
import { createProject } from './project.ts';
import { type ComponentWorld, jobNames, openComponent, usualJobs } from './world.ts';

describeWithTools({ name: 'two stacks in one pipeline', needs: ['rsync'] }, () => {
  const runnerNames = ['linux', 'arm'];
  let it: ComponentWorld;
  beforeEach(async () => {
    it = await openComponent('two-stacks', { runnerNames, gitlabVersion: '18.7' });
  });
  afterEach(() => it.close());

  test('deploy in parallel, each with its own canary; a failure does not stop the other', async () => {
    const { prepare, onboard, provision } = jobNames;
    it.world.sandbox.settings.change({ runnerName: 'arm', shard: 'pink' }, { failApplyAfter: 3 });
    const pipeline = await it.createPipeline({ runnerNames, prefixed: true });
    const outcome = await pipeline.run();
    expect(outcome.jobs).toEqual({
      ...Object.fromEntries(usualJobs.map((job) => [`linux:${job}`, 0])),
      [`arm:${prepare}`]: 0,
      [`arm:${onboard}`]: 0,
      [`arm:${provision}`]: 1,
    });
    expect(it.active('linux')).toBe('pink');
    const runners = it.world.sandbox.gitlab.runners();
    const first = runners.find(({ description }) => description === 'pink-linux');
    expect(first?.tags).toEqual(['linux']);
    const proof = pipeline.canaries().filter(({ status }) => status === 'success');
    expect(proof.map(({ runnerId }) => runnerId)).toEqual(proof.map(() => first?.id));
    expect(proof.length).toBeGreaterThan(0);
  });
});

describe('the example pipelines', () => {
  test.each(exampleNames)('%s renders the same jobs as in gitlab-ci-local', async (example) => {
    await compare(example, renderExample(example));
  });

  test('init writes a pipeline that renders the same jobs as in gitlab-ci-local', async () => {
    const answers = ['https://gitlab.example.com', '7', 'hosted-runner', 'operations'];
    const { surroundings } = await init({}, { stacks: ['linux', 'arm'], answers });
    const text = surroundings.folder.files['.gitlab-ci.yml'] ?? '';
    await compare({ text }, renderPipeline(parse(text)));
  });
});

async function compare(
  example: Parameters<typeof createProject>[0]['example'],
  jobs: Configuration,
): Promise<void> {
  const project = createProject({ example });
  try {
    const previewed = await previewLocally(project.folder);
    const rendered = Object.entries(jobs).filter(([, job]) => isJob(job));
    expect(Object.keys(previewed).filter((key) => isJob(previewed[key]))).toEqual(
      rendered.map(([name]) => name),
    );
    for (const [name, job] of rendered) expect(core(previewed[name])).toEqual(core(job));
  } finally {
    project.remove();
  }
}

function isJob(value: unknown): value is CiJob {
  return typeof value === 'object' && value !== null && 'script' in value;
}

/** Returns the keys that decide when a job runs, on which runners and with which commands. */
function core(job: CiJob | undefined): unknown {
  if (job === undefined) return undefined;
  const { stage, tags, when, allow_failure, resource_group, environment, script, needs } = job;
  const names = (needs ?? []).map((need) => [need.job, need.optional === true]);
  return {
    stage,
    tags,
    when,
    allow_failure,
    resource_group,
    environment,
    script,
    names,
    never: isNever(job),
  };
}
