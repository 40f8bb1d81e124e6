import { setTimeout as wait } from 'node:timers/promises';
import { RequestFailure } from './gitlab-api.js';
import { PublishProblem, resumable } from './problem.js';

const unfinished = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'scheduled',
];
const pickUpMs = 120_000;
const creationMs = 60_000;

/**
 * Reads which results of a release exist. `catalog` is undefined if GitLab does not report it.
 * @param {import('./gitlab-api.js').GitLabApi} api
 * @param {{ project: import('./project.js').Project, version: string, suffix: string }} release
 */
export async function readResults(api, { project, version, suffix }) {
  const path = project.path_with_namespace;
  const found = await api.find(`/projects/${project.id}/releases/${version}`);
  return {
    release: found !== undefined,
    image: await hasImage(api, { id: project.id, path, tag: `${version}${suffix}` }),
    catalog: await readCatalog(api, path, version),
  };
}

/** @param {import('./gitlab-api.js').GitLabApi} api @param {{ id: number, path: string, tag: string }} image */
async function hasImage(api, { id, path, tag }) {
  const all = (await api.find(`/projects/${id}/registry/repositories?per_page=100`)) ?? [];
  const own = all.find((/** @type {{ path: string }} */ one) => one.path === path.toLowerCase());
  if (own === undefined) return false;
  const url = `/projects/${id}/registry/repositories/${own.id}/tags/${tag}`;
  return (await api.find(url)) !== undefined;
}

/** @param {import('./gitlab-api.js').GitLabApi} api @param {string} path @param {string} version */
async function readCatalog(api, path, version) {
  const query =
    'query($path: ID!) { ciCatalogResource(fullPath: $path) { versions(first: 20) { nodes { name } } } }';
  try {
    const data = await api.query(query, { path });
    const nodes = data?.ciCatalogResource?.versions?.nodes ?? [];
    return nodes.some((/** @type {{ name: string }} */ one) => one.name === version);
  } catch (error) {
    if (error instanceof RequestFailure && !error.isTransient) return undefined;
    throw error;
  }
}

/**
 * Waits until the pipeline of the tag has succeeded. Retries a pipeline that failed before this
 * run, and starts one if GitLab created none.
 * @param {import('./gitlab-api.js').GitLabApi} api
 * @param {{ project: import('./project.js').Project, version: string, waitMs: number, pollMs: number,
 *   log: (line: string) => void }} options
 */
export async function awaitPipeline(api, { project, version, waitMs, pollMs, log }) {
  const base = `/projects/${project.id}`;
  const started = Date.now();
  let shown = '';
  let hintAt = started + pickUpMs;
  let restartedAt = Number.NaN;
  let wasUnfinished = false;
  for (;;) {
    const [last] = await api.read(
      `${base}/pipelines?ref=${version}&order_by=id&sort=desc&per_page=1`,
    );
    const now = Date.now();
    const state = last === undefined ? 'absent' : last.status;
    if (state === 'success') return;
    if (state !== shown) log(`Pipeline ${last?.web_url ?? `of ${version}`}: ${state}.`);
    shown = state;
    const isUnfinished = unfinished.includes(state);
    wasUnfinished ||= isUnfinished;
    // A pipeline appears some seconds after its tag, and a retried one keeps its status for some seconds.
    const isPatient = now - (restartedAt || started) < Math.min(creationMs, waitMs / 4);
    if (!isUnfinished && (last !== undefined || !isPatient)) {
      if (wasUnfinished || (restartedAt && !isPatient))
        throw await failedPipeline(api, { base, last, project, version });
      if (!restartedAt) {
        log(last === undefined ? 'Starting a pipeline for the tag.' : 'Retrying this pipeline.');
        await restart(
          api,
          last === undefined
            ? `${base}/pipeline?ref=${version}`
            : `${base}/pipelines/${last.id}/retry`,
        );
        restartedAt = now;
      }
    }
    if (state === 'pending' && now > hintAt) {
      log(noRunner(project));
      hintAt = Number.POSITIVE_INFINITY;
    }
    if (now - started > waitMs) throw timeout({ last, project, waitMs });
    await wait(pollMs, undefined, { signal: api.signal });
  }
}

/** Starts a pipeline once. Without a response, the next check shows the effect. @param {import('./gitlab-api.js').GitLabApi} api @param {string} path */
async function restart(api, path) {
  try {
    await api.change('POST', path, {});
  } catch (error) {
    if (!(error instanceof RequestFailure && error.isEffectUnknown)) throw error;
  }
}

/** @param {import('./project.js').Project} project */
function noRunner(project) {
  return `No runner takes the job. It needs a runner with a Docker or Kubernetes executor that runs untagged jobs: ${project.web_url}/-/settings/ci_cd (Runners). For a tag, publish with --runner-tag TAG.`;
}

/** @param {{ last: any, project: import('./project.js').Project, waitMs: number }} seen */
function timeout({ last, project, waitMs }) {
  const state = last?.status ?? 'absent';
  return new PublishProblem({
    what: `The pipeline did not finish within ${Math.round(waitMs / 60_000)} minutes; its status is ${state}.`,
    why: state === 'pending' || state === 'created' ? noRunner(project) : undefined,
    now: 'The pipeline continues on GitLab.',
    fix: [
      `Open the pipeline: ${last?.web_url ?? `${project.web_url}/-/pipelines`}`,
      'Wait longer: the same command with --wait-minutes 120.',
    ],
  });
}

/** @param {import('./gitlab-api.js').GitLabApi} api @param {{ base: string, last: any, project: import('./project.js').Project, version: string }} seen */
async function failedPipeline(api, { base, last, project, version }) {
  if (last === undefined)
    return new PublishProblem({
      what: `GitLab has no pipeline for the tag ${version}.`,
      now: resumable,
      fix: [`Start it: ${project.web_url}/-/pipelines/new?ref=${version}`],
    });
  const jobs = await api.read(`${base}/pipelines/${last.id}/jobs`);
  const failed = jobs.filter((/** @type {{ status: string }} */ one) => one.status === 'failed');
  return new PublishProblem({
    what: `The pipeline ${last.web_url} ended with the status ${last.status}.`,
    why: failed
      .map(
        (/** @type {any} */ one) =>
          `Job ${one.name}: ${one.failure_reason ?? 'failed'} (${one.web_url}).`,
      )
      .join(' '),
    now: `The tag ${version} exists. The release or the image is missing.`,
    fix: [
      `Read the job's log: ${failed[0]?.web_url ?? last.web_url}`,
      'Repair the cause (for example a registry that the runner cannot reach), then run the same command. It retries the pipeline.',
    ],
  });
}
