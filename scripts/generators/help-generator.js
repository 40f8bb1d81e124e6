/** @type {{ name: string, output: string, load: () => Promise<string> }} */
export const helpGenerator = {
  name: 'the help',
  output: 'src/cli/help/help-text.ts',
  load: async () => {
    // By a URL: the type checker must not follow it into compiled files.
    const compiled = await import(
      new URL('../../build/generate/help-file.js', import.meta.url).href
    );
    return compiled.renderHelpFile();
  },
};
