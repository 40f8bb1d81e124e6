import { describe, expect, test } from '@jest/globals';
import {
  type DeployingPipeline,
  withSettingsProbe,
} from '../../../src/adapters/gitlab/project/settings-probe.ts';
import type { RunnerRegistry } from '../../../src/ports/registry.ts';
import { type Answer, json, networkError } from '../../transport/fake-server.ts';
import { createSandboxGitLab } from '../sandbox-gitlab.ts';
import { createScriptedGitLab, html } from '../scripted-gitlab.ts';

const scope = { kind: 'group', groupId: 10 } as const;
const settings = {
  path_with_namespace: 'acme/runners',
  ci_pipeline_variables_minimum_override_role: 'no_one_allowed',
  restrict_user_defined_variables: true,
  auto_cancel_pending_pipelines: 'enabled',
  resource_group_default_process_mode: 'unordered',
};
const workflow = 'workflow: { auto_cancel: { on_new_commit: none, on_job_failure: none } }';
const absent = json(404, { message: '404 Not found' });

interface World {
  readonly settings?: object;
  readonly answer?: Answer;
  readonly group?: Answer;
  readonly merged?: string | null;
  readonly lint?: Answer;
  readonly pipeline?: Partial<DeployingPipeline>;
}

/** Probes a scripted project. Returns the calls and the results that are not good. */
async function probe(world: World) {
  const { client, sent } = createScriptedGitLab({
    'GET /projects/101': world.answer ?? json(200, { ...settings, ...world.settings }),
    'GET /projects/101/resource_groups/hosted-runner/linux':
      world.group ?? json(200, { process_mode: 'unordered' }),
    'GET /projects/101/ci/lint':
      world.lint ??
      json(200, {
        merged_yaml: world.merged === undefined ? workflow : world.merged,
        errors: ['Please provide content of .gitlab-ci.yml'],
      }),
  });
  const registry = { probe: async () => [] } as unknown as RunnerRegistry;
  const probed = withSettingsProbe(registry, {
    ...{ client, project: 101, path: 'acme/runners', runnerName: 'linux' },
    ...{ commit: 'f'.repeat(40), isChild: false },
    ...world.pipeline,
  });
  const results = await probed.probe(scope);
  const found = results
    .filter(({ outcome }) => outcome !== 'granted')
    .map(({ outcome, what, detail, fix }) => ({
      [outcome]: outcome === 'not_probed' ? `${what}: ${detail}` : detail,
      ...(fix === undefined ? {} : { fix }),
    }));
  return { sent, found };
}

const fix = { command: 'setup gitlab --project 101', runner: 'linux' };
const inFile = (lines: string) => `In .gitlab-ci.yml, set: workflow: { auto_cancel: { ${lines} } }`;
const blocked = 'a missing approval blocks the jobs of newer pipelines.';
const variables =
  "a user who may set pipeline variables can run any code in the deployment's jobs, with their secrets.";
const role = 'minimum role for pipeline variables';
const autoCancel = 'workflow:auto_cancel of the pipeline';

const failure = {
  warned: `workflow:auto_cancel:on_job_failure is all: if provision fails, GitLab cancels shutdown, cleanup and finalize, and two shards run until the scheduled finalize. ${inFile('on_new_commit: none, on_job_failure: none')}`,
};
const commit = (value: string) => ({
  noted: `workflow:auto_cancel:on_new_commit is ${value}: a new commit can cancel a deployment before its first job starts, but not later. ${inFile('on_new_commit: none')}`,
});

describe('the probe of the deploying project', () => {
  test('finds nothing in a correct project with three requests', async () => {
    const { sent, found } = await probe({});
    expect(found).toEqual([]);
    expect(sent.toSorted()).toEqual([
      'GET /projects/101',
      'GET /projects/101/ci/lint',
      'GET /projects/101/resource_groups/hosted-runner/linux',
    ]);
  });

  test.each<[string, World, object[]]>([
    [
      'a role that may set pipeline variables',
      { settings: { ci_pipeline_variables_minimum_override_role: 'developer' } },
      [{ warned: `ci_pipeline_variables_minimum_override_role is developer: ${variables}`, fix }],
    ],
    [
      'a role that this version does not enforce',
      { settings: { restrict_user_defined_variables: false } },
      [
        {
          warned: `ci_pipeline_variables_minimum_override_role is no_one_allowed, not enforced: ${variables}`,
          fix,
        },
      ],
    ],
    ...(['oldest_first', 'newest_first'] as const).map((mode): [string, World, object[]] => [
      `the process mode ${mode}`,
      { group: json(200, { process_mode: mode }) },
      [{ warned: `hosted-runner/linux has the process mode ${mode}: ${blocked}`, fix }],
    ]),
    [
      'the mode of new resource groups before the first pipeline',
      { group: absent, settings: { resource_group_default_process_mode: 'oldest_first' } },
      [
        {
          warned: `New resource groups of the project have the process mode oldest_first: ${blocked}`,
          fix,
        },
      ],
    ],
    [
      'on_job_failure: all',
      { merged: `${workflow.replace('on_job_failure: none', 'on_job_failure: all')}` },
      [failure],
    ],
    ['the default of on_new_commit', { merged: 'stages: [deploy]' }, [commit('conservative')]],
    [
      'a rule of workflow that overrides the setting',
      {
        merged: `${workflow.slice(0, -2)}, rules: [{ if: $A, auto_cancel: { on_job_failure: all } }, { when: always, auto_cancel: { on_new_commit: interruptible } }] }`,
      },
      [failure, commit('interruptible')],
    ],
  ])('reports %s', async (_, world, expected) => {
    expect((await probe(world)).found).toEqual(expected);
  });

  test.each<[string, World]>([
    [
      'the default mode that blocks only new resource groups',
      { settings: { resource_group_default_process_mode: 'oldest_first' } },
    ],
    [
      'a version without a default mode',
      { group: absent, settings: { resource_group_default_process_mode: undefined } },
    ],
    ['newest_ready_first', { group: json(200, { process_mode: 'newest_ready_first' }) }],
    [
      'a project that cancels no redundant pipeline',
      { merged: 'stages: []', settings: { auto_cancel_pending_pipelines: 'disabled' } },
    ],
    [
      'a rule that creates no pipeline',
      {
        merged: `${workflow.slice(0, -2)}, rules: [{ when: never, auto_cancel: { on_job_failure: all } }, { when: always }] }`,
      },
    ],
  ])('accepts %s', async (_, world) => {
    expect((await probe(world)).found).toEqual([]);
  });

  const denied = json(403, { message: '403 Forbidden' });
  test.each<[string, World, string[]]>([
    [
      'a setting that GitLab shows only to Maintainers',
      { settings: { ci_pipeline_variables_minimum_override_role: undefined } },
      [
        `${role}: GitLab shows ci_pipeline_variables_minimum_override_role only to Maintainers of the project`,
      ],
    ],
    ['a project that cannot be read', { answer: denied }, [`${role}: 403 Forbidden`]],
    [
      'a resource group that cannot be read',
      { group: denied },
      ['process mode of the resource group hosted-runner/linux: 403 Forbidden'],
    ],
    ['a configuration that cannot be read', { lint: denied }, [`${autoCancel}: 403 Forbidden`]],
    [
      'a configuration outside the project',
      { merged: null },
      [`${autoCancel}: Please provide content of .gitlab-ci.yml`],
    ],
    [
      'an invalid configuration',
      { merged: 'a: [' },
      [`${autoCancel}: Please provide content of .gitlab-ci.yml`],
    ],
    [
      'a child pipeline',
      { pipeline: { isChild: true } },
      [`${autoCancel}: this is a child pipeline, whose configuration GitLab does not return`],
    ],
    [
      'a project of another GitLab',
      { pipeline: { path: 'other/deploy' } },
      [
        'settings of project other/deploy: gitlab.url names another GitLab, on which project 101 is acme/runners',
      ],
    ],
  ])('does not probe %s', async (_, world, expected) => {
    expect((await probe(world)).found).toEqual(expected.map((not_probed) => ({ not_probed })));
  });

  test.each<[string, () => Answer]>([
    ['resets the connection', () => networkError('ECONNRESET', 'read ECONNRESET')],
    ['returns a login page', () => html(200)],
    ['has an internal error', () => json(500, { message: '500 Internal Server Error' })],
  ])('does not reject if GitLab %s', async (_, answer) => {
    const { found } = await probe({ answer: answer(), group: answer(), lint: answer() });
    expect(found.map((one) => Object.keys(one))).toEqual([
      ['not_probed'],
      ['not_probed'],
      ['not_probed'],
    ]);
  });

  test('finds nothing in the project of the sandbox, before and after its first pipeline', async () => {
    const { world, client } = createSandboxGitLab();
    const registry = { probe: async () => [] } as unknown as RunnerRegistry;
    const own = { client, project: 101, path: 'acme/runners', runnerName: 'linux' };
    const outcomes = async (commit: string | undefined) => {
      const probed = withSettingsProbe(registry, { ...own, commit, isChild: false });
      return (await probed.probe(scope)).map(({ outcome }) => outcome);
    };
    expect(await outcomes(undefined)).toEqual(['granted', 'granted', 'granted']);
    const { id } = world.gitlab.createPipeline({ project: 101 });
    const pipeline = await client.raw.get(`projects/101/pipelines/${id}`);
    const { sha } = pipeline.body as unknown as { sha: string };
    expect(await outcomes(sha)).toEqual(['granted', 'granted', 'granted']);
    world.close();
  });
});
