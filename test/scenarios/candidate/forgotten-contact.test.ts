import { expect, test } from '@jest/globals';
import type { StageContext } from '../../../src/stages/context/context.ts';
import { runStage } from '../../../src/stages/run/run-stage.ts';
import { reach } from '../../stages/reach.ts';
import { openScene } from '../scene.ts';
import { forgetContact } from './forgotten-contact.ts';

test('a candidate whose contact GitLab has forgotten is not removed as one without a contact', async () => {
  const world = await reach('healthy');
  forgetContact(world);
  const act = (context: StageContext) => runStage(context, 'cleanup', { removesCandidate: true });
  for (const ways of [{ act }, {}]) {
    expect(await openScene(world).type('recover cleanup', ways)).toMatchObject({
      error: {
        fields: {
          why: [
            expect.stringContaining(
              'was found unhealthy 0 times; required: twice in a row, or a manager that never contacted GitLab',
            ),
          ],
        },
      },
    });
  }
});
