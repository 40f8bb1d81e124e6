import { expect, test } from '@jest/globals';
import { allPhases } from '../../../src/domain/deployment/stages-and-steps.ts';
import { nodesOf, readSources, type SyntaxNode } from '../source.ts';

const table = 'src/domain/deployment/stages-and-steps.ts';

/** What `--until` takes are words that people type. */
const excepted = ['src/cli/commands/stage-commands.ts: healthy, promoted'];

/** A new phase would be missing in each of them in silence; a predicate of the table is asked instead. */
test('no phases are listed but in the table of steps, and by the judge that shares no code with it', () => {
  const found = readSources()
    .filter(({ path }) => path.startsWith('src/') && path !== table)
    .filter(({ folder }) => folder !== 'verify')
    .flatMap(({ path, module }) =>
      nodesOf(module)
        .flatMap(phasesIn)
        .map((list) => `${path}: ${list}`),
    );
  expect(found).toEqual(excepted);
});

function phasesIn(node: SyntaxNode): readonly string[] {
  if (node.type !== 'ArrayExpression') return [];
  const elements = node['elements'] as readonly ({ expression: SyntaxNode } | null)[];
  const words = elements.map((one) => String(one?.expression['value']));
  const areAll = words.every((word) => allPhases.some((phase) => phase === word));
  return areAll && words.length > 1 ? [words.join(', ')] : [];
}
