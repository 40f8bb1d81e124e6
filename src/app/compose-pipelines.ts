import { createGitHubPipelines, pipelinesByForm } from '../adapters/ci/github/github-pipelines.ts';
import type { Transport } from '../adapters/transport/transport.ts';
import type { Pipelines } from '../ports/pipelines.ts';
import type { Composition } from './compose.ts';

/** A stack may have been deployed from the other CI before; its pipelines are asked there. */
export function composePipelines(
  { run, surroundings }: Composition,
  { gitlab, transport }: { gitlab: Pipelines; transport: Transport },
): Pipelines {
  const { environment, redactor } = surroundings;
  const github = createGitHubPipelines({
    url: environment['GITHUB_API_URL'] || 'https://api.github.com',
    token: environment['GITHUB_TOKEN'],
    ownJobId: run.ci === 'github' ? run.jobId : undefined,
    transport,
    redactor,
  });
  return pipelinesByForm({ gitlab, github });
}
