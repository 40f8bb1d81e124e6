import { z } from 'zod';
import { readShape } from '../transport/shape.ts';
import type { GitLabClient } from './client.ts';

const metadata = z.object({ version: z.string(), enterprise: z.boolean().nullish() });

export interface GitLabServer {
  readonly version: string;
  readonly enterprise: boolean;
  /** ISO 8601, by the server's clock; absent if it did not say. */
  readonly serverTime?: string;
}

export async function readServer(client: GitLabClient): Promise<GitLabServer> {
  const { body, headers } = await client.raw.get('metadata');
  const source = 'GitLab GET /metadata';
  const found = readShape(metadata, body, { source, effect: 'none', redactor: client.redactor });
  const serverMs = Date.parse(headers['date'] ?? '');
  return {
    version: found.version,
    enterprise: found.enterprise ?? false,
    ...(Number.isNaN(serverMs) ? {} : { serverTime: new Date(serverMs).toISOString() }),
  };
}
