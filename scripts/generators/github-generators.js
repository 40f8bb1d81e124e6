/**
 * Files that GitHub reads, and the tables of their inputs.
 * @type {Array<{ name: string, output: string, load: () => Promise<string> }>}
 */
export const githubGenerators = [
  fromBuild('action.yml', 'action-metadata.js', 'renderActionMetadata'),
  fromBuild('docs/use/inputs-github.md', 'action-reference.js', 'renderActionReference'),
  fromBuild('.github/workflows/hosted-runner-deploy.yml', 'workflow.js', 'renderWorkflow'),
];

/** @param {string} output @param {string} file @param {string} render */
function fromBuild(output, file, render) {
  return {
    name: 'what GitHub reads',
    output,
    load: async () => {
      // By a URL: the type checker must not follow it into compiled files.
      const build = new URL('../../build/', import.meta.url).href;
      const { actionOutputs } = await import(`${build}src/adapters/ci/github/github-outputs.js`);
      const compiled = await import(`${build}generate/github/${file}`);
      return compiled[render](actionOutputs);
    },
  };
}
