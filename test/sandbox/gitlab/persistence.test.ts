import { describe, expect, test } from '@jest/globals';
import { createGitLabWorld, HOUR } from './gitlab-world.ts';
import { register, runnerClient } from './protocol/runner-client.ts';

describe('a sandbox that is stopped and started', () => {
  test('continues with the same state, tokens and time', async () => {
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
});
