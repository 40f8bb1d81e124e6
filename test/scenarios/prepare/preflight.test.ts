import { describe, expect, test } from '@jest/globals';
import { pink, worldWithActive } from '../../fakes/builders.ts';
import { isCall, killAt } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';

describe('prepare', () => {
  test.each([
    ['canary', 'findNewest', 'throttled', 75],
    ['canary', 'findNewest', 'unavailable', 75],
    ['host', 'list', 'unreachable', 1],
  ] as const)(
    'reports nothing as missing if %s.%s is %s, and succeeds in a second run',
    async (...testCase) => {
      const [port, method, failure, exitCode] = testCase;
      const struck = killAt(isCall(port, method));
      const scene = openScene(worldWithActive(pink), (call) =>
        struck(call) === undefined ? undefined : { kind: 'error_before', failure },
      );
      expect(await scene.type('prepare')).toMatchObject({ phase: 'none', error: { exitCode } });
      expect(await scene.type('prepare')).toMatchObject({ kind: 'done', phase: 'prepared' });
    },
  );

  test('reports a source as missing that it may not query', async () => {
    const struck = killAt(isCall('canary', 'findNewest'));
    const scene = openScene(worldWithActive(pink), (call) =>
      struck(call) === undefined ? undefined : { kind: 'error_before', failure: 'denied' },
    );
    expect(await scene.type('prepare')).toMatchObject({
      error: {
        code: 'PreflightFailed',
        fields: { why: [expect.stringContaining('the canary job cannot be read')] },
      },
    });
  });

  test('refuses a run that cannot start a canary', async () => {
    const world = worldWithActive(pink);
    world.behaviour.canaryRefusal = 'this run is not a job of a GitLab pipeline';
    expect(await openScene(world).type('prepare')).toMatchObject({
      phase: 'none',
      error: {
        code: 'PreflightFailed',
        exitCode: 2,
        fields: {
          why: [
            'no canary can be started from here: this run is not a job of a GitLab pipeline; press Retry on hosted_runner_canary of pipeline 1-200',
          ],
        },
      },
    });
  });

  test('continues a deployment of another pipeline in a run that cannot start a canary', async () => {
    const world = worldWithActive(pink);
    const scene = openScene(world);
    await scene.type('prepare');
    expect(await scene.type('provision')).toMatchObject({ phase: 'promoted' });
    world.behaviour.canaryRefusal = 'this run is not a job of a GitLab pipeline';
    Object.assign(world.pipelines['1-200'] ?? {}, { state: 'finished' });
    const atTerminal = { ci: 'terminal', deploymentId: 'at-1' } as const;
    expect(await scene.type('deploy', atTerminal)).toMatchObject({ kind: 'done', phase: 'done' });
  });

  test('reports refused credentials as such, not as missing permissions', async () => {
    const scene = openScene(worldWithActive(pink), ({ port, method }) =>
      ['registry.probe', 'canary.findNewest'].includes(`${port}.${method}`)
        ? { kind: 'error_before', failure: 'unauthenticated', status: 401 }
        : undefined,
    );
    const ending = await scene.type('prepare');
    expect(ending).toMatchObject({ phase: 'none', error: { code: 'CredentialsRefused' } });
    expect(ending.kind === 'error' ? ending.error.fields.fix?.[0] : undefined).toMatch(
      /^Renew the AWS credentials/,
    );
  });

  test('reports a missing tool for the infrastructure before it creates a runner', async () => {
    const world = worldWithActive(pink);
    world.behaviour.infrastructureLacks = ['terraform was not found on PATH'];
    const { registrations } = structuredClone(world);
    const scene = openScene(world);
    expect(await scene.type('prepare')).toMatchObject({
      phase: 'none',
      error: {
        code: 'PreflightFailed',
        exitCode: 2,
        fields: { why: ['infrastructure: terraform was not found on PATH'] },
      },
    });
    expect(world.registrations).toEqual(registrations);
  });
});
