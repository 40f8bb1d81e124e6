import { pipelinesByForm } from '../../adapters/ci/pipelines-by-form.ts';
import type { GitHubClient } from '../../adapters/github/github-client.ts';
import { createGitHubPipelines } from '../../adapters/github/runs/github-pipelines.ts';
import { type RunReference, readRun } from '../../adapters/github/runs/runs.ts';
import type { Transport } from '../../adapters/transport/transport.ts';
import { githubApi } from '../../config/rules/github-address.ts';
import { isLoopback } from '../../domain/loopback.ts';
import type { Pipelines } from '../../ports/pipelines.ts';
import type { Composition } from './compose.ts';

/** Composes the pipelines of both CIs, because the other CI may have deployed the stack before. */
export function composePipelines(
  { run, settings, surroundings }: Composition,
  { gitlab, transport }: { gitlab: Pipelines; transport: Transport },
): Pipelines {
  let client: Promise<GitHubClient> | undefined;
  const github = createGitHubPipelines({
    client: () => {
      client ??= openRuns({ settings, surroundings }, transport);
      return client;
    },
    ownJobId: run.ci === 'github' ? run.jobId : undefined,
  });
  return pipelinesByForm({ gitlab, github });
}

/** Reads when the run was created. Must precede the ports, which depend on the run. */
export async function readRunCreation(
  opened: Pick<Composition, 'settings' | 'surroundings'>,
  reference: RunReference,
): Promise<string | null | undefined> {
  const { createTransport } = await import('../../adapters/transport/transport.ts');
  const { surroundings } = opened;
  const signal = () => surroundings.signal;
  const client = await openRuns(opened, createTransport({ ...surroundings, signal }));
  return (await readRun(client, reference)).created_at;
}

/** Opens GitHub with the workflow's own token, which is not the token that registers runners. */
async function openRuns(
  { settings, surroundings }: Pick<Composition, 'settings' | 'surroundings'>,
  transport: Transport,
): Promise<GitHubClient> {
  const { createGitHubClient } = await import('../../adapters/github/github-client.ts');
  const { environment, clock, redactor } = surroundings;
  const token = environment['GITHUB_TOKEN'] ?? '';
  return createGitHubClient({
    url: runsApi(settings, environment),
    credentials: token === '' ? { kind: 'none' } : { kind: 'token', token },
    transport,
    redactor,
    clock,
  });
}

/**
 * Returns the GitHub API from the configuration, because the workflow's token is sent there. A
 * variable may only name loopback, the sandbox's address (decision 16).
 */
function runsApi(
  { ciServers }: Composition['settings'],
  { GITHUB_API_URL: named = '' }: Composition['surroundings']['environment'],
): string {
  const isSandbox = URL.canParse(named) && isLoopback(new URL(named).hostname);
  return isSandbox ? named : githubApi(ciServers.github);
}
