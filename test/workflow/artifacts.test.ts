import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { stageNames } from '../../src/domain/deployment/stages-and-steps.ts';
import { filesBelow, read } from '../structure/tree.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}

interface Job {
  readonly steps?: readonly Step[];
  readonly strategy?: object;
}

interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/**
 * Decides whether a step uses this project: as an action, by local path or by its name, or as the
 * program in a checkout.
 */
function isOwnStep({ uses = '', run = '' }: Step): boolean {
  return /hosted-runner-deploy(?:@|$)/.test(uses) || run.includes('.hosted-runner-deploy/dist');
}

const paths = ['.github/workflows/hosted-runner-deploy.yml', ...filesBelow('examples/github')];
const jobs = paths.flatMap((path) => {
  const workflow = parse(read(path)) as Workflow;
  return Object.entries(workflow.jobs).flatMap(([name, job]) =>
    job.steps?.some(isOwnStep) ? [{ path, name, workflow, job }] : [],
  );
});

test('every job that runs the program is found', () => {
  expect(jobs.map(({ path, name }) => `${path.split('/').at(-1)} ${name}`)).toEqual([
    ...stageNames.map((stage) => `hosted-runner-deploy.yml hosted_runner_${stage}`),
    'finalize.yml finalize',
    'recover.yml recover',
  ]);
});

describe.each(jobs)('$path, $name', ({ workflow, job }) => {
  const steps = job.steps ?? [];
  const last = steps.findLastIndex(isOwnStep);
  const folder = { ...workflow.env, ...steps[last]?.env }['HOSTED_RUNNER_REPORT_DIR'];

  test('keeps its evidence file and reports as an artifact, whatever the result', () => {
    const uploads = steps.slice(last + 1).filter(({ uses = '' }) => /upload-artifact/.test(uses));
    expect(uploads).toEqual([
      expect.objectContaining({
        if: expect.stringMatching(/^\$\{\{ always\(\) \}\}$/),
        with: expect.objectContaining({
          path: folder,
          'if-no-files-found': 'ignore',
          'retention-days': 30,
        }),
      }),
    ]);
    expect(folder).toBe('hosted-runner-report');
  });

  test('gives the artifact a name that no other job or attempt has', () => {
    const name = steps.at(-1)?.with?.['name'] ?? '';
    expect(name).toMatch(/\$\{\{ github\.run_attempt \}\}/);
    expect(name).toMatch(/\$\{\{ (?:inputs|matrix)\.runner_name \}\}/);
    if (Object.keys(workflow.jobs).length > 1) expect(name).toMatch(/\$\{\{ github\.job \}\}/);
  });
});
