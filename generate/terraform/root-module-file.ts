import { quoted } from '../quoted.ts';

/** Where the copied root module finds the module, and where the example does. */
const inPlace = 'source = "../.."';
const copied = 'source = "./modules/shard"';

/**
 * src/cli/starting/root-module.ts: the files that `init --terraform` writes, by their paths below the
 * directory: the example as root, and the module with its own modules beside it.
 * @param files below terraform/, by their paths there
 */
export function renderRootModuleFile(files: Readonly<Record<string, string>>): string {
  const written = Object.entries(files).flatMap(([path, text]): [string, string][] => {
    if (!/\.tf$|(^|\/)files\//.test(path)) return [];
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
