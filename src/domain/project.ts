/** Version of the release; a test compares it with package.json. */
export const version = '0.1.0';

/**
 * Address at which this project publishes its documents, components, image and modules. A mirror in
 * another group changes only this line; a release pipeline refuses any other path.
 */
export const projectAddress = 'https://gitlab.com/hosted-runner/hosted-runner-deploy';

/** Returns the URL of a file's page in the released version. */
export function pageOfFile(path: string): string {
  return `${projectAddress}/-/blob/${version}/${path}`;
}

/** URL from which editors load this version's configuration schema. */
export const jsonSchemaId = `${projectAddress}/-/raw/${version}/schema/hosted-runners.schema.json`;
