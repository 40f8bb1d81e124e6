import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { waitUntil } from '../by-hand/world/running.ts';
import { createPipeline } from '../gitlab-component/pipeline.ts';
import { signedAs } from '../terraform/access/iam-front.ts';
import type { Step } from './page.ts';
import type { Place } from './place.ts';
import type { Answers, Typist } from './typist.ts';

/** Reader on the way through the page. */
export interface Tour {
  readonly place: Place;
  readonly typist: Typist;
  /** Folder of the reader's project. */
  readonly project: string;
  /** Network in the emulator. */
  readonly vpc: string;
  /** Returns a text of the page with the values of this reader. */
  withOwnValues(text: string): string;
  /** Texts that the reader typed, with the page's values. */
  readonly typed: string[];
}

/** Does the work of a step. Returns the parts that cannot be reached here. */
type Act = (tour: Tour, step: Step) => Promise<readonly string[]>;

export const acts: Readonly<Record<number, Act>> = {
  1: async ({ typist, place }, step) => {
    const token = place.world.sandbox.gitlab.deployerToken();
    // `read` shows no prompt, so the token is pasted together with its line.
    for (const line of step.blocks.flat())
      await typist.type(line.startsWith('read ') ? `${line}\n${token}` : line);
    return ["GitLab's page that creates the token"];
  },
  2: async (tour, step) => {
    await typeAll(tour, step.blocks, { 'Continue? [y/N] ': 'y' });
    expect(tour.place.publisher.catalogVersion).toBeDefined();
    return ['pipeline that builds the image'];
  },
  3: async (tour, step) => {
    await typeAll(tour, step.blocks, {
      'Names of the stacks': 'linux',
      'Tags that customers use': 'linux',
      'Id of the GitLab group': '42',
      'Group that publishes': 'platform',
      'Tags of the runner that runs': 'operations',
      'AWS region': 'eu-west-1',
      'Name of the bucket': 'acme-terraform-states',
      'Ids of the subnets': 'subnet-0abc1234',
    });
    return [];
  },
  4: async (tour, step) => {
    const { typist, place, project } = tour;
    await typeAll(tour, step.blocks, { 'Enter a value:': 'yes' });
    const role = await typist.type(
      'terraform -chdir=infrastructure/bootstrap output -raw aws_role && echo',
    );
    replaceIn(join(project, '.gitlab-ci.yml'), /FILL_IN(?= # output aws_role)/, role.trim());
    // The emulator has no TLS, and the bucket's policy requires it.
    await fetch(`${place.moto.url}/acme-terraform-states?policy`, {
      method: 'DELETE',
      headers: signedAs('s3'),
    });
    return ['policy of the bucket, which requires TLS'];
  },
  5: async (tour, { blocks: [show = [], check = []] }) => {
    const { project } = tour;
    const [, vpc = '', image = ''] = await typeAll(tour, [show]);
    expect(vpc.trim()).toBe(tour.vpc);
    const variables = join(project, 'infrastructure/linux.tfvars');
    replaceIn(variables, /FILL_IN(?="$)/m, vpc.trim());
    replaceIn(variables, /FILL_IN(?="$)/m, image.trim());
    replaceIn(join(project, 'hosted-runners.yml'), /tags: \[linux\]/, 'tags: [linux-trial]');
    await typeAll(tour, [check]);
    return [];
  },
  6: async () => ['the whole step: GitLab has no other runner here'],
  7: async (tour, step) => {
    await typeAll(tour, step.blocks, { 'Continue? [y/N] ': 'y' });
    return ['protection of the branch'];
  },
  8: async (tour, step) => {
    await typeAll(tour, step.blocks);
    await deploy(tour);
    await runJob(tour, 'linux-trial', 'pink');
    return [];
  },
  9: async (tour) => {
    replaceIn(join(tour.project, 'hosted-runners.yml'), /tags: \[linux-trial\]/, 'tags: [linux]');
    await tour.typist.type('git commit --quiet --all --message "Use the production tag"');
    await tour.typist.type('git push --quiet');
    await deploy(tour);
    await runJob(tour, 'linux', 'purple');
    return [];
  },
  10: async (tour, step) => {
    const { sandbox } = tour.place.world;
    const answer = await fetch(`${sandbox.url}/api/v4/projects/101/pipeline_schedules`, {
      method: 'POST',
      headers: {
        'private-token': sandbox.gitlab.deployerToken(),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ description: 'deploy runners', ref: 'main', cron: '0 4 * * 5' }),
    });
    expect(answer.status).toBe(201);
    const [status] = await typeAll(tour, step.blocks);
    expect(status).toMatch(/purple/);
    return ["GitLab's page that creates the schedule: its API is called"];
  },
};

/** Types the lines of blocks. Returns the printed text of each line. */
async function typeAll(
  { typist, withOwnValues, typed }: Tour,
  blocks: Step['blocks'],
  answers: Answers = {},
): Promise<string[]> {
  const lines = blocks.flat();
  typed.push(...lines, ...Object.values(answers));
  const own = Object.fromEntries(
    Object.entries(answers).map(([question, answer]) => [question, withOwnValues(answer)]),
  );
  const printed: string[] = [];
  for (const line of lines) printed.push(await typist.type(withOwnValues(line), own));
  return printed;
}

/** Starts a pipeline as GitLab's page does, and waits for its end. */
async function deploy({ place, project }: Tour): Promise<void> {
  const pipeline = await createPipeline(place.world, place.projectAt(project));
  const { jobs, output } = await pipeline.run({
    variables: {
      CI_PIPELINE_SOURCE: 'web',
      CI_COMMIT_BRANCH: 'main',
      CI_DEFAULT_BRANCH: 'main',
      OIDC_ID_TOKEN: identityToken(),
    },
  });
  if (Object.keys(jobs).length === 0 || Object.values(jobs).some((exitCode) => exitCode !== 0))
    throw new Error(`The pipeline failed: ${JSON.stringify(jobs)}\n${output}`);
}

/** Returns an unsigned token of a job on the default branch. */
function identityToken(): string {
  const claims = {
    sub: 'project_path:acme/runners:ref_type:branch:ref:main',
    exp: Math.floor(Date.now() / 1000) + 3600,
  };
  return `${btoa('{}')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
}

/** Runs a customer's job with the tag, and checks the shard that runs it. */
async function runJob({ place }: Tour, tag: string, shard: string): Promise<void> {
  const { gitlab } = place.world.sandbox;
  const { id } = gitlab.submitJob({ project: 201, tags: [tag], script: ['true'] });
  const job = await waitUntil(`the end of a job with the tag ${tag}`, async () =>
    gitlab.jobs().find((one) => one.id === id && one.status === 'success'),
  );
  const runner = gitlab.runners().find((one) => one.id === job.runnerId);
  expect(runner?.description).toBe(`${shard}-linux`);
}

function replaceIn(file: string, text: RegExp, by: string): void {
  const before = readFileSync(file, 'utf8');
  expect(before).toMatch(text);
  writeFileSync(file, before.replace(text, by));
}
