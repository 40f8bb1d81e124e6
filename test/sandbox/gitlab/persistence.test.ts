import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createGitLabWorld, HOUR } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';

describe('a sandbox that is stopped and started', () => {
  test('goes on where it was, with the same tokens and the same time', async () => {
    const first = createGitLabWorld();
    const runner = await register(first);
    const client = runnerClient(first, runner.token, { systemId: 's_1' });
    first.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    const job = (await client.request()).body;
    await client.patch(job, 'é', 0);
    first.clock.advance(HOUR);

    const second = first.restart();
    try {
      expect(second.deployer).toBe(first.deployer);
      expect(second.clock.now()).toBe(first.clock.now());
      expect(second.gitlab.jobs()).toEqual(first.gitlab.jobs());
      const again = runnerClient(second, runner.token, { systemId: 's_1' });
      expect((await again.patch(job, '!', 2)).headers.get('range')).toBe('0-3');
      expect((await again.update(job, 'success')).status).toBe(200);
      const next = await register(second);
      expect(next.id).toBe(runner.id + 1);
    } finally {
      second.close();
    }
  });

  test('leaves no token in its folder, in any encoding', async () => {
    const world = createGitLabWorld();
    const { token } = await register(world);
    world.gitlab.submitJob({ project: 201, tags: ['linux'], script: ['true'] });
    const client = runnerClient(world, token, { systemId: 's_1' });
    const job = (await client.request()).body;
    const made = world.gitlab.createToken({ user: 'someone', scopes: ['api'] }).token;
    const trigger = world.gitlab.createTriggerToken(101).token;
    world.gitlab.close();

    const files = readdirSync(world.folder).map((name) => readFileSync(join(world.folder, name)));
    const text = Buffer.concat(files).toString('latin1');
    for (const secret of [world.deployer, token, job.token, made, trigger]) {
      const encodings = [
        secret,
        Buffer.from(secret).toString('base64').replaceAll('=', ''),
        Buffer.from(secret).toString('hex'),
        encodeURIComponent(secret),
      ];
      expect(encodings.filter((encoded) => text.includes(encoded))).toEqual([]);
    }
    world.close();
  });
});
