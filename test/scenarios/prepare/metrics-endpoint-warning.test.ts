import { expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { hostsOf } from '../../fakes/world/shards.ts';
import { openScene } from '../scene.ts';

/** Opens a stack with pink active, whose runner has no listen_address. */
function open(change: Partial<StackSettings> = {}) {
  const settings = stackSettings(change);
  const world = worldWithActive(pink, { stacks: [settings] });
  for (const host of hostsOf(world, settings, pink)) host.listens = false;
  return openScene(world);
}

const filterLines = (lines: readonly string[], word: string) =>
  lines.filter((line) => line.includes(word));

test('prepare reports a disabled listener with the missing configuration line', async () => {
  const { log } = await open().type('prepare');
  expect(filterLines(log, 'no metrics endpoint')).toEqual([
    '! The runner on i-0abc0000000000001 has no metrics endpoint: 127.0.0.1:9252 refuses the connection (the default of gitlab-runner, and of a container without a published port). Its host cannot report that no job is left, so the drain of pink relies on GitLab alone. For the next shard, add above the first [[runners]] of config.toml: listen_address = "127.0.0.1:9252", in a container with --network host; in any other network: listen_address = ":9252", and --publish 127.0.0.1:9252:9252',
  ]);
});

test('prepare reports only the line for a unit if the runner runs in a unit', async () => {
  const { host } = stackSettings();
  const unit = { kind: 'systemd', unit: 'gitlab-runner' } as const;
  const { log } = await open({ host: { ...host, process: unit } }).type('prepare');
  expect(filterLines(log, 'no metrics endpoint')).toEqual([
    expect.stringMatching(
      /\(the default of gitlab-runner\)\. Its host .* config\.toml: listen_address = "127\.0\.0\.1:9252"$/,
    ),
  ]);
});

test('prepare does not report an enabled listener, nor one that is never queried', async () => {
  const settings = stackSettings();
  const scene = openScene(worldWithActive(pink, { stacks: [settings] }));
  expect(filterLines((await scene.type('prepare')).log, 'metrics endpoint')).toEqual([]);
  const unasked = open({ host: { ...settings.host, access: 'none' } });
  expect(filterLines((await unasked.type('prepare')).log, 'metrics endpoint')).toEqual([]);
});

test('a drain names the source that it lacks and relies on the other source', async () => {
  const scene = open();
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  const drained = await scene.type('shutdown');
  expect(drained.kind).toBe('done');
  expect(filterLines(drained.log, 'Drained pink')).toEqual([
    expect.stringMatching(
      /^Drained pink: only GitLab reports that no job is left \(i-0abc0000000000001: its runner exposes no metrics endpoint \(listen_address in its config\.toml\), so its job list is unavailable\)/,
    ),
  ]);
});
