import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { answerWithGit, runGit } from './git-server.ts';

export const token = 'glpat-publish-secret';

/** A disturbance of calls, in place of the normal response. */
export interface Fault {
  readonly call: RegExp;
  readonly with: number | 'lost' | 'no response';
  /** Body of a refusal. */
  readonly message?: string;
  times: number;
}

export interface FakeProject {
  id: number;
  path_with_namespace: string;
  web_url: string;
  description: string | null;
  visibility: string;
  ci_config_path: string | null;
  default_branch: string | null;
  archived?: boolean;
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

/** GitLab as far as `publish:gitlab` needs it, with a real Git server and a pipeline that advances with each read. */
export class FakeGitLab {
  version = '18.4.1-ee';
  scopes = ['api'];
  group = { id: 7, full_path: 'Platform/tools', visibility: 'internal' };
  project: FakeProject | undefined;
  inCatalog = false;
  mayUseCatalog = true;
  /** Statuses of the pipeline, one per read; the last one stays. */
  statuses = ['pending', 'running', 'success'];
  pipeline: { id: number; read: number; statuses: readonly string[] } | undefined;
  creates = true;
  release: string | undefined;
  image: string | undefined;
  catalogVersion: string | undefined;
  faults: Fault[] = [];
  /** Calls that changed something. */
  readonly changes: string[] = [];
  readonly gitRefusals: string[] = [];
  private readonly server = createServer(
    (request, response) => void this.answer(request, response),
  );

  private readonly folder: string;
  accepted = token;

  constructor(folder: string) {
    this.folder = folder;
  }

  async start(): Promise<void> {
    await new Promise<void>((settle) => this.server.listen(0, '127.0.0.1', settle));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((settle) => this.server.close(settle));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get repository(): string {
    return join(this.folder, `${this.group.full_path}/hosted-runner-deploy.git`);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', this.url);
    if (pathname.includes('.git/')) return this.answerGit(request, response, { pathname, search });
    const body = await textOf(request);
    const graphql = pathname === '/api/graphql' ? JSON.parse(body) : undefined;
    const isMutation = /^mutation/.test(graphql?.query ?? '');
    const call = `${request.method} ${pathname}${isMutation ? ' mutation' : ''}`;
    const fault = this.faults.find((one) => one.times > 0 && one.call.test(call));
    if (fault !== undefined) fault.times -= 1;
    if (fault?.with === 'no response') return;
    if (typeof fault?.with === 'number')
      return send(response, { status: fault.with, body: { message: fault.message ?? 'fault' } });
    if (request.headers.authorization !== `Bearer ${this.accepted}`)
      return send(response, { status: 401, body: { message: '401 Unauthorized' } });
    if (request.method !== 'GET' && (graphql === undefined || isMutation)) this.changes.push(call);
    const answer = graphql
      ? this.graphql(isMutation, graphql.query)
      : this.rest(`${request.method} ${decodeURIComponent(pathname.slice('/api/v4'.length))}`, {
          body,
          searchParams,
        });
    if (fault?.with === 'lost') return void request.socket.destroy();
    send(response, answer);
  }

  private rest(call: string, { body }: { body: string; searchParams: URLSearchParams }): Answer {
    const missing = { status: 404, body: { message: '404 Not found' } };
    const given = body === '' ? {} : JSON.parse(body);
    const { project, pipeline } = this;
    const orMissing = (value: unknown): Answer => (value === undefined ? missing : { body: value });
    switch (call) {
      case 'GET /version':
        return { body: { version: this.version } };
      case 'GET /user':
        return { body: { username: 'ada' } };
      case 'GET /personal_access_tokens/self':
        return { body: { name: 'deploy', scopes: this.scopes } };
      case `GET /groups/${this.group.full_path}`:
      case `GET /groups/${this.group.full_path.toLowerCase()}`:
        return { body: this.group };
      case `GET /projects/${this.group.full_path}/hosted-runner-deploy`:
        return orMissing(project);
      case 'POST /projects':
        return this.create(given);
      case 'PUT /projects/11':
        this.project = { ...(project as FakeProject), ...given };
        return { body: this.project };
      case 'GET /projects/11/pipelines':
        return { body: pipeline === undefined ? [] : [this.advance()] };
      case 'POST /projects/11/pipeline':
      case `POST /projects/11/pipelines/${pipeline?.id}/retry`:
        this.startPipeline();
        return { status: 201, body: {} };
      case `GET /projects/11/pipelines/${pipeline?.id}/jobs`:
        return {
          body: [
            {
              name: 'image',
              status: 'failed',
              failure_reason: 'script_failure',
              web_url: `${project?.web_url}/-/jobs/5`,
            },
          ],
        };
      case `GET /projects/11/releases/${this.release}`:
        return { body: { tag_name: this.release } };
      case 'GET /projects/11/registry/repositories':
        return { body: [{ id: 3, path: this.project?.path_with_namespace.toLowerCase() }] };
      case `GET /projects/11/registry/repositories/3/tags/${this.image}`:
        return { body: { name: this.image } };
      default:
        return missing;
    }
  }

  private graphql(isMutation: boolean, query: string): Answer {
    if (isMutation && !this.mayUseCatalog)
      return {
        body: { data: { catalogResourcesCreate: null }, errors: [{ message: 'no permission' }] },
      };
    if (isMutation) this.inCatalog = true;
    const nodes = this.catalogVersion === undefined ? [] : [{ name: this.catalogVersion }];
    return {
      body: {
        data: query.includes('isCatalogResource')
          ? { project: this.project === undefined ? null : { isCatalogResource: this.inCatalog } }
          : isMutation
            ? { catalogResourcesCreate: { errors: [] } }
            : { ciCatalogResource: this.inCatalog ? { versions: { nodes } } : null },
      },
    };
  }

  private create(given: Partial<FakeProject>): Answer {
    if (this.project !== undefined)
      return { status: 400, body: { message: { path: ['has already been taken'] } } };
    mkdirSync(this.repository, { recursive: true });
    runGit(this.repository, 'init', '--quiet', '--bare', '--initial-branch=main');
    runGit(this.repository, 'config', 'http.receivepack', 'true');
    const path = `${this.group.full_path}/hosted-runner-deploy`;
    this.project = {
      id: 11,
      path_with_namespace: path,
      web_url: `${this.url}/${path}`,
      description: given.description ?? null,
      visibility: given.visibility ?? 'private',
      ci_config_path: given.ci_config_path ?? null,
      default_branch: null,
    };
    return { status: 201, body: this.project };
  }

  private async answerGit(
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, search }: { pathname: string; search: string },
  ): Promise<void> {
    const expected = `Basic ${Buffer.from(`oauth2:${this.accepted}`).toString('base64')}`;
    if (request.headers.authorization !== expected) {
      this.gitRefusals.push(pathname);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="GitLab"' }).end();
      return;
    }
    const before = this.listTags();
    await answerWithGit({
      folder: this.folder,
      path: pathname,
      query: search.slice(1),
      request,
      response,
    });
    if (this.project !== undefined && runGit(this.repository, 'branch', '--list', 'main') !== '')
      this.project.default_branch = 'main';
    if (this.listTags() === before) return;
    this.changes.push('git push');
    if (this.creates) this.startPipeline();
  }

  listTags(): string {
    return this.project === undefined ? '' : runGit(this.repository, 'tag', '--list');
  }

  private startPipeline(): void {
    this.pipeline = { id: (this.pipeline?.id ?? 500) + 1, read: 0, statuses: this.statuses };
  }

  private advance() {
    const { id, read, statuses } = this.pipeline as NonNullable<typeof this.pipeline>;
    const status = statuses[Math.min(read, statuses.length - 1)];
    (this.pipeline as { read: number }).read += 1;
    if (status === 'success') {
      const tag = this.listTags();
      this.release = tag;
      this.image = `${tag}-terraform`;
      if (this.inCatalog) this.catalogVersion = tag;
    }
    return { id, status, web_url: `${this.project?.web_url}/-/pipelines/${id}` };
  }
}

function send(response: ServerResponse, { status = 200, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
