import { bundleOf, ownPackages, sharedBundle } from './bundles.js';
import { packedFolder } from './packing.js';

/** @typedef {{ name?: string, modules?: readonly Module[] }} Module */
/** @typedef {{ id: number, entry: boolean, names: readonly string[], siblings: readonly number[], modules: readonly Module[] }} Chunk */
/** @typedef {{ chunks: readonly Chunk[], modules: readonly Module[] }} Stats */

/**
 * Joins the chunks of one file under its name. ncc numbers its chunks, and puts packages and shared
 * modules into separate ones.
 * @param {import('./packing.js').Packed} packed
 * @returns {Map<string, string>} sources by file name, including the entry's
 */
export function joinChunks({ code, assets, stats }) {
  /** @type {Map<string, number[]>} */
  const idsOf = new Map();
  for (const chunk of stats.chunks) {
    if (chunk.entry) continue;
    const name = fileOf(chunk, stats.chunks);
    idsOf.set(name, [...(idsOf.get(name) ?? []), chunk.id]);
  }
  const files = new Map([['index.js', withNames(code, idsOf)]]);
  for (const [name, ids] of [...idsOf].sort(([a], [b]) => (a < b ? -1 : 1)))
    files.set(`${name}.js`, joined(ids, assets));
  return files;
}

/** @param {Chunk} chunk @param {readonly Chunk[]} all */
function fileOf(chunk, all) {
  const [own] = chunk.names;
  if (own !== undefined) return own;
  const owner = ownerOf(firstName(chunk.modules) ?? '');
  if (owner !== undefined) return owner;
  const users = all.filter(({ id, names }) => names.length > 0 && chunk.siblings.includes(id));
  const names = new Set(users.flatMap(({ names: [name] }) => name ?? []));
  if (names.size > 1) return sharedBundle;
  const [name] = names;
  if (name !== undefined) return name;
  // A package may import its parts on demand.
  const module = firstName(chunk.modules) ?? '';
  return bundleOf(module.replace(/^.*node_modules\//, '').replace(packedFolder, ''));
}

/** @returns {string | undefined} */
function ownerOf(/** @type {string} */ module) {
  return Object.entries(ownPackages).find(([name]) =>
    module.includes(`node_modules/${name}/`),
  )?.[1];
}

/** @returns {string | undefined} */
function firstName(/** @type {readonly Module[]} */ modules) {
  for (const { name, modules: inner = [] } of modules) {
    const found = name !== undefined && !name.startsWith('external ') ? name : firstName(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Replaces the request of ncc's loader, which finds a file by the number of a chunk. */
function withNames(/** @type {string} */ code, /** @type {Map<string, number[]>} */ idsOf) {
  const byId = Object.fromEntries([...idsOf].flatMap(([name, ids]) => ids.map((id) => [id, name])));
  return replaceOnce(
    code,
    'return "" + chunkId + ".index.js";',
    `return ${JSON.stringify(byId)}[chunkId] + ".js";`,
  );
}

/** @param {readonly number[]} ids @param {Record<string, { source: string | Buffer }>} assets */
function joined(ids, assets) {
  /** @type {number[]} */
  const all = [];
  const parts = [...ids]
    .sort((a, b) => a - b)
    .map((id) => {
      const source = String(assets[`${id}.index.js`]?.source);
      const found =
        /^export const id = \d+;\nexport const ids = (\[[\d,]+\]);\nexport const modules = \{\n([\s\S]*)\n\};\s*$/.exec(
          source,
        );
      if (found === null)
        throw new Error(`chunk ${id} is not as ncc writes them: ${source.slice(0, 200)}`);
      all.push(...JSON.parse(found[1] ?? '[]'));
      return found[2];
    });
  return `export const id = ${ids[0]};\nexport const ids = ${JSON.stringify(all)};\nexport const modules = {\n${parts.join(',\n')}\n};\n`;
}

/** @param {string} text @param {string} before @param {string} after */
function replaceOnce(text, before, after) {
  if (text.split(before).length !== 2) throw new Error(`not once in what ncc wrote: ${before}`);
  return text.replace(before, () => after);
}
