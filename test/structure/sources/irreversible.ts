import { describe, expect, test } from '@jest/globals';
import { portEffects } from '../../../src/ports/ports.ts';
import { nodesOf, readSources } from '../source.ts';

/** What is handed out whole: the judge's own door, and who wraps every port before it is handed out. */
const doors = ['src/stages/service/irreversible.ts'];
const folders = new Set(['stages', 'stages/record', 'operator']);

describe('what no call takes back', () => {
  test('is declared', () => {
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

  // A stage's ports do not have these methods, so that only a cast could reach them.
  test('is reached past the judge of service by nobody', () => {
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
