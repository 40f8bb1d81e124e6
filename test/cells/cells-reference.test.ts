import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { cells } from '../../model/cells.ts';
import { renderCells } from '../../model/cells-reference.ts';
import { places } from '../../model/outcome.ts';

test('docs/reference/outcomes.md documents the cells as they are', () => {
  const address = new URL('../../docs/reference/outcomes.md', import.meta.url);
  expect(readFileSync(address, 'utf8')).toBe(renderCells());
});

test('every event has exactly one outcome at every place', () => {
  for (const row of Object.values(cells)) expect(Object.keys(row)).toEqual(places);
});
