import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.js';

// usage: node scripts/version.js [--check VERSION | --project PATH]
// Writes the version of package.json to all texts that contain it; `npm version` runs it. GitLab
// reports a component's version only in the catalog, so a release must write it down. `--project`
// only compares: a release must name the documents and the image of the project that publishes it.
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const checked = process.argv[process.argv.indexOf('--check') + 1];
const isCheck = process.argv.includes('--check');

/** Texts before a version, in all files for users and programs. */
const places =
  /(hosted-runner-deploy(?:\/[a-z]+@|(?:\.yml)?@|:|\/-\/(?:blob|raw)\/)|^export const version = '|^ +ref: |^git push github )\d+\.\d+\.\d+(?:-(?!terraform|tofu)[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?/gm;

const files = [
  'src/domain/project.ts',
  'schema/hosted-runners.schema.json',
  'docs/use/install-github.md',
  'docs/use/walkthrough.md',
  'docs/troubleshooting.md',
  'docs/use/dashboard.md',
  'docs/use/gitlab.md',
  'docs/use/github.md',
  'docs/use/inputs-gitlab.md',
  ...readdirSync(join(root, 'templates')).map((name) => `templates/${name}/README.md`),
  ...['gitlab', 'github', 'github-runners', 'probes'].flatMap((name) => listOf(`examples/${name}`)),
  ...readdirSync(join(root, 'templates')).map((name) => `templates/${name}/template.yml`),
];

// A mirror on another GitLab may have an equal path: its templates work unchanged.
const own = /projectAddress = '([^']+)'/.exec(
  readFileSync(join(root, 'src/domain/project.ts'), 'utf8'),
)?.[1];
const path = new URL(own ?? '').pathname.slice(1);
const project = process.argv.includes('--project')
  ? process.argv[process.argv.indexOf('--project') + 1]
  : path;
if (project !== path) {
  console.error(
    `Errors, templates and modules name ${path}, and this project is ${project}: change projectAddress in src/domain/project.ts, then npm run generate and npm run build.`,
  );
  process.exit(1);
}
if (process.argv.includes('--project')) process.exit(0);
const wanted = isCheck ? checked : version;
const stale = files.filter((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  const renewed = text.replaceAll(places, `$1${wanted}`);
  if (renewed === text) return false;
  if (!isCheck) writeFileSync(join(root, path), renewed);
  return true;
});
if (isCheck && version !== wanted) stale.unshift('package.json');
for (const path of stale)
  console.log(isCheck ? `${path} does not name version ${wanted}.` : `Wrote ${path}.`);
if (isCheck && stale.length > 0) process.exitCode = 1;

function listOf(/** @type {string} */ folder) {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
}
