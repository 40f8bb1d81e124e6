import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answered } from '../../support/answered.ts';
import { whatIsWrongAtRest } from '../by-hand/world/at-rest.ts';
import { openWorld, type World } from '../by-hand/world/world.ts';

const role = 'arn:aws:iam::123456789012:role/deployer';

/** As a CI signs one: it ends this many seconds from now. */
function identityToken(seconds: number): string {
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const claims = Buffer.from(JSON.stringify({ sub: 'repo:acme/runners', exp }));
  return `header.${claims.toString('base64url')}.signature`;
}

/**
 * The CI's tokens end in the middle of a run. The sandbox's STS says so itself; between it and the program
 * each session is told to be over, so that the program takes a new one for each call.
 */
describe('where identity tokens end in the middle of a run', () => {
  let world: World;
  const state = { isTokenOver: false };
  let close: () => Promise<void>;
  let url: string;

  beforeAll(async () => {
    world = await openWorld();
    const server = createServer(
      answered(async (request, response) => {
        if (request.url?.startsWith('/token')) {
          const [status, answer] = state.isTokenOver
            ? [401, { message: 'the token of this job has expired' }]
            : [200, { value: identityToken(300) }];
          response.writeHead(status as number, { 'content-type': 'application/json' });
          response.end(JSON.stringify(answer));
          return;
        }
        const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
        const answer = await fetch(world.sandbox.ssmUrl, {
          method: 'POST',
          headers: headers as Record<string, string>,
          body: await textOf(request),
        });
        const now = new Date().toISOString();
        const text = (await answer.text()).replace(/(?<=<Expiration>)[^<]+/, now);
        response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(text);
      }),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      });
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    await close?.();
    await world?.close();
  });
  beforeEach(() => {
    state.isTokenOver = false;
    writeToken(3600);
  });

  const tokenFile = () => join(world.folder, 'web-identity');
  /** At once: a token that is read while it is written is a broken one, and no ended one. */
  const writeToken = (seconds: number) => {
    writeFileSync(`${tokenFile()}.new`, identityToken(seconds));
    renameSync(`${tokenFile()}.new`, tokenFile());
  };

  /** Nothing of the keys that the sandbox has handed out. */
  const common = () => ({
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    AWS_SESSION_TOKEN: '',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ENDPOINT_URL_STS: url,
  });
  const cis = [
    {
      ci: 'GitLab’s id_tokens',
      env: () => ({
        ...common(),
        AWS_ROLE_ARN: role,
        AWS_ROLE_SESSION_NAME: 'pipeline-100',
        AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile(),
      }),
      end: () => writeToken(-1),
      words: 'ExpiredToken',
    },
    {
      ci: 'GitHub’s token for asking for them',
      env: () => ({
        ...common(),
        HOSTED_RUNNER_AWS_ROLE: role,
        GITHUB_RUN_ID: '77',
        ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?api-version=2`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
      }),
      end: () => {
        state.isTokenOver = true;
      },
      words: 'GitHub gave no identity token',
    },
  ];

  test.each(cis)(
    '$ci: the run ends with 75 and the next one goes on',
    async ({ env, end, words }) => {
      const running = world.start({ args: ['deploy', '--runner', 'linux'], env: env() });
      let isOver = false;
      void running.ended.then(() => {
        isOver = true;
      });
      // The candidate is built, and everything else is still to come.
      while (!isOver && !running.text().includes('Applied '))
        await new Promise((resolve) => setTimeout(resolve, 10));
      end();
      const { code, exitCode, text } = await running.ended;
      expect({ code, exitCode, text }).toEqual({ code: 'CredentialsEnded', exitCode: 75, text });
      expect(text).toContain(words);
      expect(text).not.toContain('CredentialsRefused');

      const next = await world.stage('deploy');
      expect({ text: next.text, exitCode: next.exitCode }).toEqual({
        text: next.text,
        exitCode: 0,
      });
      expect(whatIsWrongAtRest(world)).toEqual([]);
    },
  );
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
