import { describe, expect, test } from '@jest/globals';
import { allPhases, stages, steps } from '../../src/domain/deployment/stages-and-steps.ts';
import { portEffects } from '../../src/ports/ports.ts';
import { read } from '../structure/tree.ts';
import { rowsBelow } from './tables.ts';

const text = read('docs/understand/architecture.md');

describe('docs/understand/architecture.md', () => {
  test('names every port and no other', () => {
    const documented = rowsBelow(text, '| port | does |').flatMap(([names = '']) =>
      names.split(', '),
    );
    expect(documented.sort()).toEqual(Object.keys(portEffects).sort());
  });

  test('contains the table of steps that the runner executes', () => {
    const documented = rowsBelow(text, '| step | writes | touches | does |');
    expect(documented.map(([name, writes, touches]) => [name, writes, touches])).toEqual(
      steps.map((step) => [step.name, step.writes.join(', '), step.touches]),
    );
  });

  test('contains the range of each stage', () => {
    expect(rowsBelow(text, '| stage | from | to |')).toEqual(
      Object.entries(stages).map(([name, { first, last }]) => [name, first, last]),
    );
  });

  test('draws every phase and no other', () => {
    const [, diagram = ''] = /stateDiagram-v2\n([\s\S]*?)```/.exec(text) ?? [];
    const drawn = new Set([...diagram.matchAll(/[a-z]{4,}(?= -->)/g)].map(String));
    expect([...drawn].sort()).toEqual([...allPhases].sort());
  });
});
