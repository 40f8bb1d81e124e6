import { expect, test } from '@jest/globals';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { forgetContact } from './forgotten-contact.ts';

test('a candidate is not removed as one that never contacted, once GitLab has forgotten its contact', async () => {
  const world = await reach('healthy');
  forgetContact(world);
  const act = (context: StageContext) => runStage(context, 'cleanup', { removesCandidate: true });
  for (const ways of [{ act }, {}]) {
    expect(await openScene(world).type('recover cleanup', ways)).toMatchObject({
      error: {
        fields: {
          why: [
            expect.stringContaining(
              'was found unhealthy 0 times; it takes two in a row, or a manager that never contacted GitLab',
            ),
          ],
        },
      },
    });
  }
});
