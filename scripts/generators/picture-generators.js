import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';

/** Pictures of README, from the run that scripts/record-run.js has stored. */
export const pictureGenerators = [
  {
    name: 'the picture of a timeline',
    output: 'docs/pictures/timeline.svg',
    load: () => draw('timeline-picture', 'renderTimelinePicture'),
  },
  {
    name: 'the recording of the live view',
    output: 'docs/pictures/live.svg',
    load: () => draw('live-picture', 'renderLivePicture'),
  },
  {
    name: 'the badge of the license',
    output: 'docs/pictures/license.svg',
    load: () => badge('license', manifest().license),
  },
  {
    name: 'the badge of Node',
    output: 'docs/pictures/node.svg',
    load: () => badge('Node', manifest().engines.node),
  },
];

/** @returns {{ license: string, engines: { node: string } }} */
function manifest() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** @param {string} name @param {string} value @returns {Promise<string>} */
async function badge(name, value) {
  const address = new URL('../../build/generate/pictures/badge.js', import.meta.url).href;
  const { renderBadge } = await import(address);
  return renderBadge(name, value);
}

/** @param {string} file @param {string} name @returns {Promise<string>} */
async function draw(file, name) {
  const from = (/** @type {string} */ one) =>
    import(new URL(`../../build/generate/pictures/${one}.js`, import.meta.url).href);
  const { readRun } = await from('recorded-run');
  const drawing = await from(file);
  return drawing[name](readRun(readFileSync(join(root, 'docs/pictures/deployment.jsonl'), 'utf8')));
}
