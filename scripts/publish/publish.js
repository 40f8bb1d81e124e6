import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { root } from '../run.js';
import { readAccess, tokenFix } from './access.js';
import { readOptions, usage } from './arguments.js';
import { GitFailure } from './git.js';
import { GitLabApi, RequestFailure } from './gitlab-api.js';
import { Mirror } from './mirror.js';
import { PublishProblem, renderProblem, resumable, unchanged } from './problem.js';
import {
  ensureCatalogEntry,
  ensureProject,
  findCatalogEntry,
  findProject,
  missingSettings,
  projectName,
} from './project.js';
import { chooseFetch } from './proxy.js';
import { awaitPipeline, readResults } from './release.js';

// usage: npm run publish:gitlab -- --help
// Each step reads the state first. A second run does only the missing work.

/** @typedef {ReturnType<typeof readOptions> & { token: string, version: string, fetch: typeof fetch }} Options */

const stop = new AbortController();
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM']))
  process.once(name, () => stop.abort());

process.exitCode = await main();

async function main() {
  try {
    const given = readOptions(process.argv.slice(2));
    if (given.help) {
      console.log(usage);
      return 0;
    }
    const token = process.env['HOSTED_RUNNER_GITLAB_TOKEN']?.trim();
    if (!token)
      throw new PublishProblem({
        what: 'HOSTED_RUNNER_GITLAB_TOKEN is not set.',
        now: unchanged,
        fix: tokenFix(given.url),
      });
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    return await publish({ ...given, token, version, fetch: await chooseFetch() });
  } catch (error) {
    if (stop.signal.aborted) {
      console.error(`✖ publish: Cancelled.\n  now  ${resumable}`);
      return 130;
    }
    console.error(renderProblem(problemOf(error)));
    return 1;
  }
}

/** @param {unknown} error */
function problemOf(error) {
  if (error instanceof PublishProblem) return error;
  if (error instanceof GitFailure)
    return new PublishProblem({
      what: 'Git failed in a temporary copy of this clone.',
      why: error.message.replaceAll(/\s+/g, ' '),
      now: resumable,
      fix: [`Run the command in a clone that Git accepts: git -C ${root} status`],
    });
  if (!(error instanceof RequestFailure)) throw error;
  const isRefused = error.status === 401 || error.status === 403;
  return new PublishProblem({
    what: isRefused ? 'GitLab refused a request.' : 'A request to GitLab failed.',
    why: error.message,
    now: resumable,
    fix: isRefused
      ? [
          'Use a token with the scope api of a Maintainer or Owner of the group, then run the same command.',
        ]
      : ['Run the same command again.'],
  });
}

/** @param {Options} options */
async function publish(options) {
  const { url, token, pollMs, version, fetch } = options;
  const api = new GitLabApi({ url, token, retryMs: pollMs, signal: stop.signal, fetch });
  const access = await timed('Checked GitLab, the token and the group', () =>
    readAccess(api, options),
  );
  const path = `${access.group.full_path}/${projectName}`;
  const found = await findProject(api, path);
  const mirror = new Mirror({
    source: root,
    address: `${url}/${path}`,
    token,
    branch: found?.default_branch ?? 'main',
    version,
    signal: stop.signal,
  });
  try {
    await timed('Wrote the addresses of the mirror into a copy', () =>
      mirror.prepare({ path, runnerTag: options.runnerTag }),
    );
    const push = found === undefined ? { commit: '', isNew: true } : await mirror.plan();
    const visibility = options.visibility ?? access.group.visibility;
    console.log(
      `\nhosted-runner-deploy ${version} for ${url}/${path} (GitLab ${access.version}, user ${access.user}):`,
    );
    const steps = await planSteps(api, { found, push, path, visibility, options });
    for (const [index, line] of steps.entries()) console.log(`  ${index + 1}. ${line}`);
    noteUncommitted();
    if (options.dryRun) return 0;
    if (!(await isConfirmed(options))) {
      console.log(unchanged);
      return 1;
    }
    await run(api, { options, mirror, path, group: access.group, visibility });
    return 0;
  } finally {
    mirror.remove();
  }
}

/**
 * Describes each step by its difference from the present state.
 * @param {GitLabApi} api
 * @param {{ found: import('./project.js').Project | undefined, push: object | undefined, path: string,
 *   visibility: string, options: Options }} state
 */
async function planSteps(api, { found, push, path, visibility, options }) {
  const missing = found === undefined ? {} : missingSettings(found);
  const isInCatalog = found !== undefined && (await findCatalogEntry(api, path)) === true;
  return [
    found === undefined
      ? `Create the project ${path} (visibility: ${visibility}).`
      : Object.keys(missing).length > 0
        ? `Change the project's settings: ${Object.keys(missing).join(', ')}.`
        : 'Project: unchanged.',
    isInCatalog
      ? 'CI/CD catalog: unchanged.'
      : 'Add the project to the CI/CD catalog (needs an Owner).',
    push === undefined
      ? `Branch and tag ${options.version}: unchanged.`
      : `Push one commit to ${found?.default_branch ?? 'main'} and the tag ${options.version}, without force.`,
    options.waitMs === 0
      ? 'Do not wait for the pipeline.'
      : `Wait at most ${options.waitMs / 60_000} minutes for the pipeline, which builds the image and releases the tag.`,
    'Check the release, the image and the catalog.',
  ];
}

/**
 * @param {GitLabApi} api
 * @param {{ options: Options, mirror: Mirror, path: string, visibility: string,
 *   group: { id: number, full_path: string, visibility: string } }} plan
 */
async function run(api, { options, mirror, path, group, visibility }) {
  const { version, waitMs, pollMs } = options;
  const project = await timed(`Project ${path}`, () =>
    ensureProject(api, { path, group, visibility }),
  );
  const refused = await timed('CI/CD catalog', () => ensureCatalogEntry(api, project));
  if (refused !== undefined) console.log(`  ! ${refused}`);
  await timed(`Branch and tag ${version}`, async () => {
    const push = await mirror.plan();
    if (push !== undefined) await mirror.push(push.commit);
  });
  const wanted = { project, version, suffix: '-terraform' };
  const log = (/** @type {string} */ line) => console.log(`  ${line}`);
  let results = await readResults(api, wanted);
  if (!(results.release && results.image) && waitMs > 0) {
    await timed('Pipeline', () => awaitPipeline(api, { project, version, waitMs, pollMs, log }));
    results = await readResults(api, wanted);
  }
  report({ results, project, version, isWaiting: waitMs > 0 });
}

/**
 * @param {{ results: Awaited<ReturnType<typeof readResults>>, project: import('./project.js').Project,
 *   version: string, isWaiting: boolean }} end
 */
function report({ results, project, version, isWaiting }) {
  const path = project.path_with_namespace;
  const image = `${path.toLowerCase()}:${version}-terraform`;
  if (isWaiting && !(results.release && results.image))
    throw new PublishProblem({
      what: `The pipeline succeeded, but ${results.release ? `the registry lacks the image ${image}` : `the release ${version} is missing`}.`,
      why: results.release
        ? 'The variable TARGETS without terraform has this effect, and so has a cleanup policy.'
        : undefined,
      now: `The tag ${version} exists.`,
      fix: [`Run the pipeline again: ${project.web_url}/-/pipelines/new?ref=${version}`],
    });
  const catalog =
    results.catalog === undefined ? 'not readable' : results.catalog ? 'listed' : 'not listed';
  console.log(
    `\nRelease: ${results.release ? version : 'not yet'}. Image: ${results.image ? image : 'not yet'}. CI/CD catalog: ${catalog}.`,
  );
  if (project.visibility === 'private')
    console.log(
      `The project is private. Let the deploying projects read its image: ${project.web_url}/-/settings/ci_cd (Job token permissions), and make their users members.`,
    );
  console.log(`\nPaste into the .gitlab-ci.yml of the deploying project:

include:
  - component: $CI_SERVER_FQDN/${path}/deploy@${version}
    inputs:
      runner_name: linux
      runner_tags: [operations]
`);
}

function noteUncommitted() {
  const changed = execFileSync('git', ['status', '--porcelain', '--untracked-files=no'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (changed !== '') console.log('  Uncommitted changes of this clone are not published.');
}

/** @param {Options} options */
async function isConfirmed({ yes }) {
  if (yes) return true;
  if (!process.stdin.isTTY)
    throw new PublishProblem({
      what: 'This command needs a confirmation, and the input is no terminal.',
      now: unchanged,
      fix: ['Confirm the steps above: the same command with --yes.'],
    });
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D close the terminal, and the question stays without an answer.
  terminal.once('close', () => stop.abort());
  const typed = await terminal.question('Continue? [y/N] ', { signal: stop.signal });
  terminal.removeAllListeners('close').close();
  return /^y(?:es)?$/i.test(typed.trim());
}

/** @template T @param {string} name @param {() => Promise<T>} step @returns {Promise<T>} */
async function timed(name, step) {
  const startedAt = performance.now();
  const result = await step();
  console.log(`✔ ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return result;
}
