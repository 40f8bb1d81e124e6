import { ranks } from '../../src/config/layers/layer.ts';
import { resolveKeys } from '../../src/config/resolve.ts';
import { buildSettings } from '../../src/config/settings/settings-builder.ts';
import type { KeyName } from '../../src/domain/keys/key-table.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import type { RunnerName } from '../../src/domain/shard.ts';

/** Settings that a stack requires. */
const least = {
  'gitlab.url': 'https://gitlab.example.com',
  'registration.scope': 'instance',
  'registration.tags': ['linux'],
  'infrastructure.apply': ['build', '{shard}', '{runner_name}'],
  'infrastructure.destroy': ['destroy', '{shard}', '{runner_name}'],
};

/**
 * Returns the settings of a stack with these keys. All others have the default of the key table.
 */
export function settingsWith(
  keys: Partial<Record<KeyName, unknown>> = {},
  runnerName = 'linux' as RunnerName,
): StackSettings {
  const place = { kind: 'file', line: 1, column: 1 } as const;
  const layer = new Map(
    Object.entries({ ...least, ...keys }).map(([name, value]) => [
      name as KeyName,
      { value, place, rank: ranks.stack },
    ]),
  );
  const stack = { name: runnerName, place };
  return buildSettings(runnerName, resolveKeys({ layer, stack, environment: {} }).keys);
}
