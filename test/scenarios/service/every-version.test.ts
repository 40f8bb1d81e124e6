import { describe, expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { gitlabVersions } from '../../fakes/world/gitlab-version.ts';
import type { Ending } from '../../stages/drive.ts';
import { openScene, withCustomers } from '../scene.ts';
import { minute, removeHostAccess } from './promoted.ts';

const asUsual = (stack: StackSettings) => stack;

/**
 * The demo counts the results of availability checks on two versions. This test counts them in
 * virtual time on each version that differs. GitLab's own responses are tested in
 * test/gitlab/runners/accepting-runners.test.ts.
 */
describe.each(gitlabVersions.map((version) => [version] as const))(
  'a stack without faults on GitLab %s',
  (gitlab) => {
    test.each([
      ['one command', asUsual, ['deploy', 'status', 'doctor']],
      ['stages', asUsual, ['prepare', 'onboard', 'provision', 'shutdown', 'cleanup']],
      ['a rollback', asUsual, ['prepare', 'onboard', 'provision', 'rollback', 'finalize']],
      ['one command without access to hosts', removeHostAccess, ['deploy', 'status', 'doctor']],
    ] as const)(
      'leads to no unknown verdict on the active shard: %s',
      async (_, change, commands) => {
        const stacks = [change(stackSettings())];
        const world = withCustomers(worldWithActive(pink, { stacks, behaviour: { gitlab } }));
        const scene = openScene(world);
        await scene.simulation.advance(2 * minute);
        const endings: Ending[] = [];
        for (const command of commands) endings.push(await scene.type(command));
        expect(endings.map(({ kind }) => kind)).toEqual(commands.map(() => 'done'));
        const verdicts = endings.flatMap(({ events }) =>
          events.flatMap((one) => (one.kind === 'service' ? [one] : [])),
        );
        expect(verdicts.length).toBeGreaterThan(4);
        expect(verdicts.filter(({ service }) => service.kind === 'unknown')).toEqual([]);
        expect(world.violations).toEqual([]);
      },
    );
  },
);
