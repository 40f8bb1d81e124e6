import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.js';

// usage: node scripts/version.js [--check VERSION]
// Writes the version of package.json wherever it stands as text; `npm version` runs it. GitLab offers
// a component its own version in the catalog alone, so that a release has to write it down.
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const checked = process.argv[process.argv.indexOf('--check') + 1];
const isCheck = process.argv.includes('--check');

/** What stands in front of a version, wherever people and machines read one. */
const places =
  /(hosted-runner-deploy(?:\/[a-z]+@|(?:\.yml)?@|:)|^export const version = '|^ +ref: )\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?/gm;

const files = [
  'src/config/version.ts',
  'README.md',
  'docs/use/gitlab.md',
  'docs/use/github.md',
  'docs/use/inputs-gitlab.md',
  ...['gitlab', 'github', 'github-runners', 'probes'].flatMap((name) => listOf(`examples/${name}`)),
  ...readdirSync(join(root, 'templates')).map((name) => `templates/${name}/template.yml`),
];

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
  console.log(isCheck ? `${path} does not say ${wanted}.` : `Wrote ${path}.`);
if (isCheck && stale.length > 0) process.exitCode = 1;

function listOf(/** @type {string} */ folder) {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
}
