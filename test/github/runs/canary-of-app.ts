export const tag = 'canary-1-2-linux';

/** Canary of one deployment, in the workflow of acme/app. */
export const canaryOfApp = {
  tag,
  tagOf: (id: string) => `canary-${id}-linux`,
  owner: 'acme',
  repository: 'app',
  workflow: 'hosted-runner-canary.yml',
  ref: 'main',
};
