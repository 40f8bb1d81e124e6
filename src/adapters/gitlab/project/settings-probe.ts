import type { CommandToType } from '../../../domain/text/line-to-type.ts';
import { inShell } from '../../../domain/text/shell-quoting.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { ProbeResult, RunnerRegistry } from '../../../ports/registry.ts';
import type { GitLabClient } from '../gitlab-client.ts';
import type { AutoCancel } from './auto-cancel.ts';
import {
  defaultProcessMode,
  describeMinimumRole,
  findProcessMode,
  minimumRole,
  noOne,
  type PipelineSettings,
  pathOfProject,
  readConfiguredAutoCancel,
  readPipelineSettings,
  resourceGroupOf,
} from './pipeline-settings.ts';

export interface DeployingPipeline {
  /** Client that sends each request once, because the deployment does not need the responses. */
  readonly client: GitLabClient;
  readonly project: number;
  /** Path of the project, as the pipeline's GitLab reports it. */
  readonly path: string | undefined;
  readonly runnerName: string;
  /** Commit of the pipeline; undefined for the newest commit of the default branch. */
  readonly commit: string | undefined;
  /** The configuration of a child pipeline is not in a file of the project. */
  readonly isChild: boolean;
}

/** Adds checks of the deploying project to the registry's probe. They never refuse a deployment. */
export function withSettingsProbe(
  registry: RunnerRegistry,
  pipeline: DeployingPipeline,
): RunnerRegistry {
  return {
    ...registry,
    probe: async (...args) => {
      const [results, ofProject] = await Promise.all([
        registry.probe(...args),
        probeProject(pipeline),
      ]);
      return [...results, ...ofProject];
    },
  };
}

/** Sends at most three requests. */
async function probeProject(pipeline: DeployingPipeline): Promise<readonly ProbeResult[]> {
  const { client, runnerName, commit, isChild } = pipeline;
  const project = pathOfProject(pipeline.project);
  const [settings, mode, autoCancel] = await Promise.all([
    attempt(() => readPipelineSettings(client, project)),
    attempt(() => findProcessMode(client, project, runnerName)),
    isChild ? ofChild : attempt(() => readConfiguredAutoCancel(client, project, commit)),
  ]);
  const found = 'failed' in settings ? undefined : settings.value.path_with_namespace;
  if (found && pipeline.path !== undefined && found.toLowerCase() !== pipeline.path.toLowerCase())
    return [
      notProbed(
        `settings of project ${pipeline.path}`,
        `gitlab.url names another GitLab, on which project ${pipeline.project} is ${found}`,
      ),
    ];
  return [
    ...judgeRole(pipeline, settings),
    ...judgeProcessMode(pipeline, mode, settings),
    ...judgeAutoCancel(autoCancel, settings),
  ];
}

const ofChild = {
  failed: 'this is a child pipeline, whose configuration GitLab does not return',
} as const;

type Attempt<T> = { readonly value: T } | { readonly failed: string };

async function attempt<T>(read: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return { failed: error.detail };
  }
}

function judgeRole(
  pipeline: DeployingPipeline,
  settings: Attempt<PipelineSettings>,
): readonly ProbeResult[] {
  const what = 'minimum role for pipeline variables';
  if ('failed' in settings) return [notProbed(what, settings.failed)];
  const role = describeMinimumRole(settings.value);
  if (role === undefined)
    return [notProbed(what, `GitLab shows ${minimumRole} only to Maintainers of the project`)];
  return role === noOne
    ? [granted(what, role)]
    : [
        warned(what, {
          detail: `${minimumRole} is ${role}: a user who may set pipeline variables can run any code in the deployment's jobs, with their secrets.`,
          fix: setupOf(pipeline),
        }),
      ];
}

function judgeProcessMode(
  pipeline: DeployingPipeline,
  mode: Attempt<string | undefined>,
  settings: Attempt<PipelineSettings>,
): readonly ProbeResult[] {
  const group = resourceGroupOf(pipeline.runnerName);
  const what = `process mode of the resource group ${group}`;
  if ('failed' in mode) return [notProbed(what, mode.failed)];
  const own = mode.value;
  // Without a resource group, its mode will be the project's default.
  const usual = 'failed' in settings ? undefined : settings.value[defaultProcessMode];
  const found = own ?? usual;
  if (found !== 'oldest_first' && found !== 'newest_first')
    return found ? [granted(what, found)] : [];
  const place = own === undefined ? `New resource groups of the project have` : `${group} has`;
  return [
    warned(what, {
      detail: `${place} the process mode ${found}: a missing approval blocks the jobs of newer pipelines.`,
      fix: setupOf(pipeline),
    }),
  ];
}

const inFile = (lines: string) => `In .gitlab-ci.yml, set: workflow: { auto_cancel: { ${lines} } }`;

function judgeAutoCancel(
  reading: Attempt<AutoCancel>,
  settings: Attempt<PipelineSettings>,
): readonly ProbeResult[] {
  const what = 'workflow:auto_cancel of the pipeline';
  if ('failed' in reading) return [notProbed(what, reading.failed)];
  const { onNewCommit, onJobFailure } = reading.value;
  const results: ProbeResult[] = [];
  if (onJobFailure.includes('all'))
    results.push(
      warned(what, {
        detail: `workflow:auto_cancel:on_job_failure is all: if provision fails, GitLab cancels shutdown, cleanup and finalize, and two shards run until the scheduled finalize. ${inFile('on_new_commit: none, on_job_failure: none')}`,
      }),
    );
  // GitLab cancels no redundant pipeline of a project that disables it.
  const cancels =
    'failed' in settings || settings.value.auto_cancel_pending_pipelines !== 'disabled';
  const cancelling = onNewCommit.find((value) => value !== 'none');
  if (cancels && cancelling !== undefined)
    results.push({
      what,
      outcome: 'noted',
      detail: `workflow:auto_cancel:on_new_commit is ${cancelling}: a new commit can cancel a deployment before its first job starts, but not later. ${inFile('on_new_commit: none')}`,
    });
  return results.length > 0 ? results : [granted(what, 'none')];
}

function setupOf({ project, runnerName }: DeployingPipeline): CommandToType {
  return { command: inShell`setup gitlab --project ${project}`, runner: runnerName };
}

function granted(what: string, detail: string): ProbeResult {
  return { what, outcome: 'granted', detail };
}

function warned(what: string, finding: Pick<ProbeResult, 'detail' | 'fix'>): ProbeResult {
  return { what, outcome: 'warned', ...finding };
}

function notProbed(what: string, detail: string): ProbeResult {
  return { what, outcome: 'not_probed', detail };
}
