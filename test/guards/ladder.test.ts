import { expect, test } from '@jest/globals';
import { mutants } from '../mutants/mutants.ts';
import { read } from '../structure/tree.ts';

const file = 'src/domain/deployment/recovery.ts';
/** They let a rung through; what they must not let through is behind them. */
const openings = [
  'if (unhealthyInARow === 0 || lastApply === undefined) return undefined;',
  'if (unhealthyInARow === 0 || somethingHappened !== undefined) return undefined;',
  'if (rule6 !== undefined || !contacted || tokenLost) return rule6;',
];

/** Every condition of a function that refuses or doubts, from the sources themselves. */
function conditions(): string[] {
  const bodies = read(file).match(/^(?:export )?function (?:refuse|doubt)[\s\S]*?^}$/gm) ?? [];
  return bodies.flatMap((body) => body.match(/^ {2}if .*/gm) ?? []).map((line) => line.trim());
}

test('each reason why a rung is refused has a mutant without it', () => {
  const found = conditions();
  expect(found.length).toBeGreaterThanOrEqual(17);
  const broken = mutants.filter((mutant) => mutant.file === file);
  const missing = found
    .filter((line) => !openings.includes(line))
    .filter((line) => !broken.some(({ find }) => line.startsWith(head(find))));
  expect(missing).toEqual([]);
});

function head(find: string): string {
  const [first = ''] = find.trim().split('\n');
  return first;
}
