/** Kept equal to package.json by a test. */
export const version = '0.1.0';

/**
 * Where this project is published: its documents, its components, its image and its modules. The one line that
 * a mirror in another group changes; the pipeline of a release refuses any other path.
 */
export const projectAddress = 'https://gitlab.com/hosted-runner/hosted-runner-deploy';

/** A file of the released version, as a page to read. */
export function pageOfFile(path: string): string {
  return `${projectAddress}/-/blob/${version}/${path}`;
}

/** The schema of the configuration as this version has it, where editors load it from. */
export const jsonSchemaId = `${projectAddress}/-/raw/${version}/schema/hosted-runners.schema.json`;
