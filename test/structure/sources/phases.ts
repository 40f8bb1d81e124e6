import { expect, test } from '@jest/globals';
import { allPhases } from '../../../src/domain/deployment/stages-and-steps.ts';
import { nodesOf, readSources, type SyntaxNode } from '../source.ts';

const table = 'src/domain/deployment/stages-and-steps.ts';

/** Values of `--until`, which operators type. */
const excepted = ['src/cli/commands/stage-commands.ts: healthy, promoted'];

/** A list of phases would miss a new one without an error. A predicate of the table replaces it. */
test('the phases are listed only in the table of steps and in the independent checker', () => {
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
