import { pipelinesByForm } from '../../adapters/ci/pipelines-by-form.ts';
import type { GitHubClient } from '../../adapters/github/client.ts';
import { createGitHubPipelines } from '../../adapters/github/runs/pipelines.ts';
import { type RunReference, readRun } from '../../adapters/github/runs/runs.ts';
import type { Transport } from '../../adapters/transport/transport.ts';
import type { Pipelines } from '../../ports/pipelines.ts';
import type { Composition, Surroundings } from './compose.ts';

/** A stack may have been deployed from the other CI before; its pipelines are asked there. */
export function composePipelines(
  { run, surroundings }: Composition,
  { gitlab, transport }: { gitlab: Pipelines; transport: Transport },
): Pipelines {
  let client: Promise<GitHubClient> | undefined;
  const github = createGitHubPipelines({
    client: () => {
      client ??= openRuns(surroundings, transport);
      return client;
    },
    ownJobId: run.ci === 'github' ? run.jobId : undefined,
  });
  return pipelinesByForm({ gitlab, github });
}

/** Before anything is composed: who we are is asked first. */
export async function readRunCreation(
  surroundings: Surroundings,
  reference: RunReference,
): Promise<string | null | undefined> {
  const { createTransport } = await import('../../adapters/transport/transport.ts');
  const client = await openRuns(surroundings, createTransport(surroundings));
  return (await readRun(client, reference)).created_at;
}

/** GitHub as the workflow's own token sees it, which is not the one that registers runners. */
async function openRuns(
  { environment, clock, redactor }: Surroundings,
  transport: Transport,
): Promise<GitHubClient> {
  const { createGitHubClient } = await import('../../adapters/github/client.ts');
  const token = environment['GITHUB_TOKEN'] ?? '';
  return createGitHubClient({
    url: environment['GITHUB_API_URL'] || 'https://api.github.com',
    credentials: token === '' ? { kind: 'none' } : { kind: 'token', token },
    transport,
    redactor,
    clock,
  });
}
