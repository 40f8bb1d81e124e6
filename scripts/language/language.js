import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.js';
import { rulesOf } from './glossary.js';
import { areas, findHabits } from './habits.js';
import { passagesIn, wordsIn } from './markdown.js';
import { readTree } from './tree.js';

// usage: npm run language [-- [REVISION...] [--list HABIT] [--area AREA] [--path PATH]]
// Counts words and habits of style in the working tree, beside the commits that are given.
// --list prints each passage with a habit (`all` for every habit) in the working tree.
const args = process.argv.slice(2);
/** @param {string} flag */
function take(flag) {
  const at = args.indexOf(flag);
  return at === -1 ? undefined : args.splice(at, 2)[1];
}
const [list, area, below] = ['--list', '--area', '--path'].map(take);
const glossary = rulesOf(readFileSync(join(root, 'docs/understand/glossary.md'), 'utf8'));

if (list === undefined) printCounts();
else printPassages(list);

function printCounts() {
  const trees = [...args, undefined].map((revision) => readTree(revision));
  console.log(row('', [...args, 'working tree']));
  const folders = trees.map(wordsByFolder);
  for (const folder of keysOf(folders))
    console.log(
      row(
        `words ${folder}`,
        folders.map((one) => one.get(folder) ?? 0),
      ),
    );
  const habits = trees.map((files) => countHabits(findHabits({ files, glossary })));
  for (const habit of keysOf(habits))
    console.log(
      row(
        habit,
        habits.map((one) => one.get(habit) ?? 0),
      ),
    );
}

/** @param {string} habit */
function printPassages(habit) {
  const files = readTree().filter(({ path }) => path.startsWith(below ?? ''));
  for (const one of findHabits({ files, glossary })) {
    if (habit !== 'all' && one.habit !== habit) continue;
    if (area !== undefined && one.area !== area) continue;
    console.log(`${one.path}: ${one.area}, ${one.habit}: ${one.text}`);
  }
}

/** @param {import('./tree.js').TextFile[]} files */
function wordsByFolder(files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { path, text } of files) {
    if (!path.endsWith('.md')) continue;
    const folder = /^docs\/\w+\//.exec(path)?.[0] ?? path;
    const words = passagesIn(text).reduce((sum, passage) => sum + wordsIn(passage.text), 0);
    counts.set(folder, (counts.get(folder) ?? 0) + words);
  }
  return counts;
}

/** @param {import('./habits.js').Finding[]} findings */
function countHabits(findings) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { area: where, habit } of findings) {
    const known = /^(?:fragment|clause|who$|long)/.test(habit) ? habit : 'words of the glossary';
    const key = `${where}: ${known}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const order = (/** @type {string} */ key) => areas.findIndex((one) => key.startsWith(one));
  return new Map([...counts].sort(([one], [other]) => order(one) - order(other)));
}

/** @param {Map<string, number>[]} maps */
function keysOf(maps) {
  return [...new Set(maps.flatMap((one) => [...one.keys()]))];
}

/** @param {string} label @param {(string | number)[]} cells */
function row(label, cells) {
  return label.padEnd(40) + cells.map((cell) => String(cell).slice(0, 12).padStart(14)).join('');
}
