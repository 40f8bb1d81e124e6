import { quoted } from '../quoted.ts';

/** Paths of the module: in the example, and in the copied root module. */
const inPlace = 'source = "../.."';
const copied = 'source = "./modules/shard"';

/**
 * Renders src/cli/starting/root-module.ts: the files of `init --terraform` by their paths below the
 * directory. The example becomes the root, with the module and its own modules beside it.
 * @param files below terraform/, by their paths there
 */
export function renderRootModuleFile(files: Readonly<Record<string, string>>): string {
  const written = Object.entries(files).flatMap(([path, text]): [string, string][] => {
    if (!/\.(tf|tftpl)$|(^|\/)files\//.test(path)) return [];
    if (path.startsWith('bootstrap/')) return [[path, text]];
    const ofRoot = /^examples\/shard\/(.+)$/.exec(path)?.[1];
    if (ofRoot !== undefined) return [[ofRoot, text.replace(inPlace, copied)]];
    return path.startsWith('examples/') ? [] : [[`modules/shard/${path}`, text]];
  });
  return `// Generated from terraform/ by \`npm run generate\`; edits here are lost.
export const rootModule: Readonly<Record<string, string>> = {
${written.map(([path, text]) => `  '${path}':\n    ${quoted(text)},`).join('\n')}
};
`;
}
