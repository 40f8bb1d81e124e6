import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answered } from '../support/answered.ts';

/**
 * Simulated S3 with the functions that Terraform's backend needs: objects that outlive their
 * creator, and `If-None-Match: *`, which locks a state.
 */
export interface StateServer {
  /** Objects by bucket and key. A lock is an object whose key ends in `.tflock`. */
  readonly objects: Map<string, string>;
  locks(): [string, string][];
  /** Environment for Terraform. */
  readonly environment: Record<string, string>;
  readonly backendConfig: string[];
  close(): Promise<void>;
}

export const s3Backend = `
terraform {
  backend "s3" {
    bucket                      = "states"
    region                      = "eu-west-1"
    use_lockfile                = true
    use_path_style              = true
    skip_credentials_validation = true
    skip_requesting_account_id  = true
    skip_metadata_api_check     = true
    skip_region_validation      = true
    skip_s3_checksum            = true
  }
}
`;

export async function startStateServer(): Promise<StateServer> {
  const objects = new Map<string, string>();
  const server = createServer(
    answered(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const body = await readBody(request);
      const answer = (status: number, text = '', headers = {}) =>
        response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text);
      const found = objects.get(pathname);
      const tag = found === undefined ? {} : { etag: `"${digestOf(found)}"` };
      if (searchParams.has('list-type')) {
        return answer(200, '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>');
      }
      switch (request.method) {
        case 'PUT':
          if (request.headers['if-none-match'] === '*' && found !== undefined) {
            return answer(412, '<Error><Code>PreconditionFailed</Code></Error>');
          }
          objects.set(pathname, body);
          return answer(200, '', { etag: `"${digestOf(body)}"` });
        case 'DELETE':
          objects.delete(pathname);
          return answer(204);
        case 'HEAD':
          return answer(found === undefined ? 404 : 200, '', {
            ...tag,
            'content-length': Buffer.byteLength(found ?? ''),
          });
        default:
          if (found === undefined) return answer(404, '<Error><Code>NoSuchKey</Code></Error>');
          return answer(206, found, {
            ...tag,
            'content-type': 'application/json',
            // The client requests ranges until it knows the whole length.
            'content-range': `bytes 0-${Buffer.byteLength(found) - 1}/${Buffer.byteLength(found)}`,
          });
      }
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    objects,
    locks: () => [...objects].filter(([key]) => key.endsWith('.tflock')),
    environment: {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_ACCESS_KEY_ID: 'AKIASTATES',
      AWS_SECRET_ACCESS_KEY: 'made-up',
    },
    backendConfig: ['key={runner_name}/{shard}.tfstate'],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function digestOf(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
