import { expect, test } from '@jest/globals';
import { at } from '../../broken-stacks/state.ts';
import { type } from '../doctor/examine.ts';

test.each(['cleanup', 'terminate', 'rerun', 'auto'])(
  'from the promotion on %s names what finishes the deployment at once',
  async (method) => {
    const world = await at('promoted', () => {});
    const ending = await type(
      world,
      `hosted-runner recover --runner linux --method ${method} --yes`,
    );
    expect(ending).toMatchObject({
      phase: 'promoted',
      error: { code: 'CannotRecover', exitCode: 1 },
    });
    expect(ending.log.filter((line) => line.startsWith('Chose '))).toEqual([]);
    const fix = (ending.kind === 'error' && ending.error.fields.fix) || [];
    expect(fix).toEqual([
      'Finish what is begun: hosted-runner finalize --runner linux',
      'Look at everything: hosted-runner doctor --runner linux',
    ]);
    expect(await type(world, 'hosted-runner finalize --runner linux')).toMatchObject({
      kind: 'done',
      phase: 'done',
    });
  },
);

test('a deploy that has only finished what was begun says so, and how a new one is begun', async () => {
  const world = await at('promoted', () => {});
  const line = 'hosted-runner deploy --runner linux';
  const ending = await type(world, line);
  expect(ending).toMatchObject({
    kind: 'done',
    phase: 'done',
    says: expect.stringMatching(
      /^deployment \S+ of candidate purple is done; it was promoted before this run, which built nothing new; for that: hosted-runner deploy --runner linux$/,
    ),
  });
  expect(await type(world, line)).toMatchObject({
    says: expect.stringMatching(/^deployment \S+ of candidate pink is done$/),
  });
});
