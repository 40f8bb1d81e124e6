import { execFileSync, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers a request for a repository below `folder` with Git's own CGI program. */
export function answerWithGit(options: {
  readonly folder: string;
  readonly path: string;
  readonly query: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}): Promise<void> {
  const { folder, path, query, request, response } = options;
  const program = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'oauth2',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      GIT_PROTOCOL: request.headers['git-protocol']?.toString(),
    },
  });
  request.pipe(program.stdin);
  // Git closes its input before the end of a refused request.
  program.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((settle) => {
    program.on('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      for (const line of all.subarray(0, end).toString().split('\r\n')) {
        const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else response.setHeader(name, value);
      }
      response.end(all.subarray(end + 4));
      settle();
    });
  });
}

/** Runs Git without the settings of the user. */
export function runGit(folder: string, ...words: readonly string[]): string {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}
