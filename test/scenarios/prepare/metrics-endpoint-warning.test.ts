import { expect, test } from '@jest/globals';
import type { StackSettings } from '../../../src/domain/settings.ts';
import { pink, stackSettings, worldWithActive } from '../../fakes/builders.ts';
import { hostsOf } from '../../fakes/world/serving.ts';
import { openScene } from '../scene.ts';

/** Pink serves, and its runner was given no listen_address. */
function open(change: Partial<StackSettings> = {}) {
  const settings = stackSettings(change);
  const world = worldWithActive(pink, { stacks: [settings] });
  for (const host of hostsOf(world, settings, pink)) host.listens = false;
  return openScene(world);
}

const saying = (lines: readonly string[], word: string) =>
  lines.filter((line) => line.includes(word));

test('a listener that is off is told by prepare, with the line that is missing', async () => {
  const { log } = await open().type('prepare');
  expect(saying(log, 'no listener')).toEqual([
    '! The runner on i-0abc0000000000001 has no listener: 127.0.0.1:9252 refuses the connection, which is gitlab-runner\'s default, and that of a container whose port is not published. Its host cannot say that no job is left, and the drain of pink will rest on GitLab\'s word alone. For the next shard, add above the first [[runners]] of config.toml: listen_address = "127.0.0.1:9252", in a container with --network host; in any other network: listen_address = ":9252", and --publish 127.0.0.1:9252:9252',
  ]);
});

test('the runner of a unit is told its own line alone', async () => {
  const { host } = stackSettings();
  const unit = { kind: 'systemd', unit: 'gitlab-runner' } as const;
  const { log } = await open({ host: { ...host, process: unit } }).type('prepare');
  expect(saying(log, 'no listener')).toEqual([
    expect.stringMatching(
      /which is gitlab-runner's default\. Its host .* config\.toml: listen_address = "127\.0\.0\.1:9252"$/,
    ),
  ]);
});

test('a listener that is on is not told, nor one that nobody asks', async () => {
  const settings = stackSettings();
  const scene = openScene(worldWithActive(pink, { stacks: [settings] }));
  expect(saying((await scene.type('prepare')).log, 'listener')).toEqual([]);
  const unasked = open({ host: { ...settings.host, access: 'none' } });
  expect(saying((await unasked.type('prepare')).log, 'listener')).toEqual([]);
});

test('the drain says which witness it lacks, and ends by the other one', async () => {
  const scene = open();
  for (const stage of ['prepare', 'onboard', 'provision'] as const) await scene.type(stage);
  const drained = await scene.type('shutdown');
  expect(drained.kind).toBe('done');
  expect(saying(drained.log, 'Drained pink')).toEqual([
    expect.stringMatching(
      /^Drained pink: GitLab alone says that no job is left \(i-0abc0000000000001: its runner has no listener \(listen_address in its config\.toml\), and so no list of its jobs\)/,
    ),
  ]);
});
