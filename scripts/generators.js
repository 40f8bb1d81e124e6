/**
 * Files that are written from the sources and committed. `load` runs after tsc, so it may import
 * from build/. `npm run generate` writes them, `npm run check` compares them.
 * @type {Array<{ name: string, output: string, load: () => Promise<string> }>}
 */
export const generators = [];
