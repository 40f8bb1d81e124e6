import { expect, test } from '@jest/globals';
import { phases } from '../../../src/domain/deployment/stages-and-steps.ts';
import { shardStates } from '../../../src/report/drawing/shard-states.ts';
import { findPhase, paintPhase } from '../../../src/report/live/phase-colours.ts';

const row = '  purple  candidate          applied 12m · ✔ manager';

test('a phase at a terminal has the colours of its state, and the row keeps its width', () => {
  const { fill, ink } = shardStates.quarantine.terminal;
  const painted = paintPhase(row, { color: true });
  expect(painted).toContain(
    `\u001b[48;5;${fill}m\u001b[38;5;${ink}mapplied\u001b[39m\u001b[49m 12m`,
  );
  expect(painted.replace(/\u001b\[[\d;]*m/g, '')).toBe(row);
});

test('a row without colours stays unchanged, and a job named like a phase is not painted', () => {
  expect(paintPhase(row, { color: false })).toBe(row);
  expect(findPhase('      draining 900017 for 2m')).toBeUndefined();
  expect(findPhase('── deploy linux · draining · 33s · 101-5001')).toBeUndefined();
});

test('every phase after the preparation has a state, except the end', () => {
  const bare = phases.filter((phase) => findPhase(`  pink  retiring  ${phase} 3s`) === undefined);
  expect(bare).toEqual(['prepared', 'done']);
});

test('no two states share a colour, on a page or at a terminal', () => {
  const states = Object.values(shardStates);
  expect(new Set(states.map(({ fill }) => fill)).size).toBe(states.length);
  expect(new Set(states.map(({ terminal }) => terminal.fill)).size).toBe(states.length);
});
