import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createPipeline } from '../by-hand/world/pipeline.ts';
import type { End } from '../by-hand/world/running.ts';
import { type DeployingProject, openWrongProject, role } from './deploying-project.ts';

describe('prepare in a pipeline', () => {
  // A second pipeline would wait for the first deployment.
  let project: DeployingProject;
  beforeEach(async () => {
    project = await openWrongProject();
  });
  afterEach(() => project.world.close());

  const warnings = ({ text }: End) =>
    text.split('\n').filter((line) => /setup gitlab|auto_cancel|Not probed/.test(line));

  test('prints no warning about a correct project', async () => {
    const { world } = project;
    const args = ['setup', 'gitlab', '--project', 'acme/runners', '--yes'];
    expect(await world.run({ args })).toMatchObject({ exitCode: 0 });
    const end = await (await createPipeline(world)).run('prepare');
    expect({ exitCode: end.exitCode, found: warnings(end) }).toEqual({ exitCode: 0, found: [] });
  });

  test('prints the fix for each wrong setting, and deploys', async () => {
    const { world } = project;
    world.sandbox.gitlab.configureWorkflow(101, { auto_cancel: { on_job_failure: 'all' } });
    const end = await (await createPipeline(world)).run('prepare');
    const command = 'Fix: hosted-runner setup gitlab --project 101 --runner linux';
    const inFile = 'In .gitlab-ci.yml, set: workflow: { auto_cancel: {';
    const line = (pattern: string) => expect.stringMatching(pattern);
    expect({ exitCode: end.exitCode, found: warnings(end) }).toEqual({
      exitCode: 0,
      found: [
        line(`^! ${role} is developer: .+ ${command}$`),
        line(`^! hosted-runner/linux has the process mode oldest_first: .+ ${command}$`),
        line(`^! workflow:auto_cancel:on_job_failure is all: .+ ${inFile} on_new_commit: none`),
        line(`^ {2}workflow:auto_cancel:on_new_commit is conservative: .+ ${inFile} on_new_co`),
      ],
    });
  });
});
