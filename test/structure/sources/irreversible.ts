import { describe, expect, test } from '@jest/globals';
import { portEffects } from '../../../src/ports/ports.ts';
import { nodesOf, readSources } from '../source.ts';

/** File with access to every method: the gate of irreversible calls. */
const doors = ['src/stages/service/irreversible.ts'];
const folders = new Set(['stages', 'stages/record', 'operator']);

describe('a call that cannot be undone', () => {
  test('must be declared', () => {
    const declared = Object.entries(portEffects).flatMap(([port, methods]) =>
      Object.entries(methods).flatMap(([method, effect]) =>
        effect === 'irreversible' ? [`${port}.${method}`] : [],
      ),
    );
    expect(declared.toSorted()).toEqual([
      'host.kill',
      'host.quit',
      'infrastructure.apply',
      'infrastructure.destroy',
      'instances.terminate',
      'inventory.remove',
      'registry.resetToken',
      'registry.retire',
      'registry.retireWorkers',
    ]);
  });

  // A stage's ports lack these methods, so only a cast could reach them.
  test('runs only behind the guards', () => {
    const offences = readSources()
      .filter(({ path, folder }) => folders.has(folder) && !doors.includes(path))
      .flatMap(({ path, module }) =>
        nodesOf(module)
          .filter(({ type }) => type === 'TsAsExpression')
          .filter((node) =>
            /"(?:Ports|RunnerRegistry|RunnerHost|Infrastructure|Instances|Inventory)"/.test(
              JSON.stringify(node['typeAnnotation']),
            ),
          )
          .map(() => `${path}: casts its ports`),
      );
    expect(offences).toEqual([]);
  });
});
