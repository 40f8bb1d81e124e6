import { ensure, RequestFailure } from './gitlab-api.js';
import { PublishProblem, resumable } from './problem.js';

export const projectName = 'hosted-runner-deploy';
const description = 'Replaces the GitLab runners of a stack on AWS without losing a job.';
const configPath = '.gitlab/publish.gitlab-ci.yml';

/**
 * @typedef {{ id: number, path_with_namespace: string, web_url: string, visibility: string,
 *   description: string | null, ci_config_path: string | null, default_branch: string | null,
 *   archived?: boolean, marked_for_deletion_on?: string | null, container_registry_access_level?: string,
 *   builds_access_level?: string }} Project
 */

/** @param {import('./gitlab-api.js').GitLabApi} api @param {string} path @returns {Promise<Project | undefined>} */
export async function findProject(api, path) {
  const project = await api.find(`/projects/${encodeURIComponent(path)}`);
  if (project === undefined) return undefined;
  if (project.archived || project.marked_for_deletion_on)
    throw new PublishProblem({
      what: `The project ${path} is ${project.archived ? 'archived' : 'marked for deletion'}.`,
      now: 'The project was not changed.',
      fix: [`Restore it in its settings: ${project.web_url}/edit`],
    });
  return project;
}

/** Lists the settings that the pipeline and the catalog need and the project lacks. @param {Project} project */
export function missingSettings(project) {
  return {
    ...(project.ci_config_path === configPath ? {} : { ci_config_path: configPath }),
    ...(project.description ? {} : { description }),
    ...(project.container_registry_access_level === 'disabled'
      ? { container_registry_access_level: 'enabled' }
      : {}),
    ...(project.builds_access_level === 'disabled' ? { builds_access_level: 'enabled' } : {}),
  };
}

/**
 * Creates the project, or changes only its missing settings.
 * @param {import('./gitlab-api.js').GitLabApi} api
 * @param {{ path: string, group: { id: number, full_path: string, visibility: string }, visibility: string }} wanted
 * @returns {Promise<Project>}
 */
export async function ensureProject(api, { path, group, visibility }) {
  const body = {
    name: projectName,
    path: projectName,
    namespace_id: group.id,
    description,
    visibility,
    ci_config_path: configPath,
  };
  const owner = `An Owner of ${group.full_path} creates a blank project ${projectName} without README (${api.url}/projects/new?namespace_id=${group.id}#blank_project). Then run the same command.`;
  const manual = [
    owner,
    'If GitLab refuses the visibility: the same command with --visibility private.',
  ];
  const project = await ensure({
    name: `the project ${path}`,
    find: () => findProject(api, path),
    create: () => allow(api.change('POST', '/projects', body), manual, `create ${path}`),
  });
  const missing = missingSettings(project);
  if (Object.keys(missing).length === 0) return project;
  const maintainer = `A Maintainer changes ${project.web_url}/-/settings/ci_cd (General pipelines > CI/CD configuration file: ${configPath}), and ${project.web_url}/edit (Project description: any text).`;
  // Setting a value again has no further effect.
  await allow(
    api.retry(() => api.change('PUT', `/projects/${project.id}`, missing)),
    [maintainer],
    `change the settings of ${path}`,
  );
  return { ...project, ...missing };
}

const isInCatalog = 'query($path: ID!) { project(fullPath: $path) { isCatalogResource } }';
const addToCatalog =
  'mutation($path: ID!) { catalogResourcesCreate(input: { projectPath: $path }) { errors } }';

/** @param {import('./gitlab-api.js').GitLabApi} api @param {string} path @returns {Promise<true | undefined>} */
export async function findCatalogEntry(api, path) {
  const data = await api.query(isInCatalog, { path });
  return data?.project?.isCatalogResource === true ? true : undefined;
}

/**
 * Adds the project to the catalog. Returns the manual step if GitLab refuses: the component can be
 * included without the catalog.
 * @param {import('./gitlab-api.js').GitLabApi} api @param {Project} project
 * @returns {Promise<string | undefined>}
 */
export async function ensureCatalogEntry(api, project) {
  const path = project.path_with_namespace;
  const create = async () => {
    const data = await api.mutate(addToCatalog, { path });
    const errors = data?.catalogResourcesCreate?.errors ?? [];
    if (errors.length > 0)
      throw new RequestFailure({
        call: 'catalogResourcesCreate',
        status: 200,
        detail: errors.join(' '),
        isChange: true,
      });
  };
  try {
    await ensure({ name: 'the catalog entry', find: () => findCatalogEntry(api, path), create });
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.isTransient) throw error;
    return `GitLab refused the catalog (${error.message}). The component works without it. An Owner can add it before the next release: ${project.web_url}/edit (Visibility, project features, permissions > CI/CD Catalog project).`;
  }
}

/**
 * Turns a refusal into the manual step.
 * @template T @param {Promise<T>} attempt @param {string[]} manual @param {string} action @returns {Promise<T>}
 */
async function allow(attempt, manual, action) {
  try {
    return await attempt;
  } catch (error) {
    if (!(error instanceof RequestFailure) || error.isTransient || error.status === 409)
      throw error;
    // Another run created the project after the last read.
    if (/already been taken/.test(error.message)) return /** @type {T} */ (undefined);
    throw new PublishProblem({
      what: `GitLab refused to ${action}.`,
      why: error.message,
      now: resumable,
      fix: manual,
    });
  }
}
