import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithTools } from '../support/tools.ts';
import { programUnderTest } from './by-hand/world/running.ts';
import { openWorld, type World, writeConfiguration } from './by-hand/world/world.ts';
import { openPseudoTerminal } from './pseudo-terminal/open.ts';

describeWithTools({ name: 'status --watch at a terminal', needs: ['python3'] }, (tool) => {
  let world: World;
  let two: string;
  beforeAll(async () => {
    world = await openWorld();
    two = writeConfiguration(
      world,
      'two.yml',
      `version: 1
defaults:
  gitlab: { url: '${world.sandbox.url}' }
  registration: { scope: group, group_id: 10, tags: [linux] }
  canary: { kind: off }
  infrastructure: { driver: command, apply: ['true', '{shard}'], destroy: ['true', '{shard}'] }
stacks: { first: {}, second: {}, third: {} }
`,
    );
  });
  afterAll(() => world.close());

  function watch(env: Readonly<Record<string, string>>, ...args: string[]) {
    return openPseudoTerminal({
      python: tool('python3'),
      command: [process.execPath, programUnderTest, 'status', '--watch', '--config', two, ...args],
      env: { ...world.environment, TERM: 'xterm-256color', ...env },
      cwd: world.folder,
      rows: 5,
      columns: 100,
    });
  }

  const cropped = /^… and \d+ more lines?; make the window taller/;

  test('that is too low shows the first stacks, and says how the others can be seen', async () => {
    const terminal = watch({});
    const rows = await terminal.until('a note', (now) => now.some((row) => cropped.test(row)));
    expect(rows[0]).toMatch(/^first: No shard is active yet/);
    expect(rows.find((row) => cropped.test(row))).toMatch(/, or name one stack with --runner$/);
    terminal.interrupt();
    expect(await terminal.ended).toBe(0);
  });

  // Such a terminal cannot take back what it shows, and a CI's log is no terminal whatever it claims.
  test.each<Record<string, string>>([{ TERM: 'dumb' }, { CI: 'true' }])(
    'with %j draws nothing in place',
    async (env) => {
      const terminal = watch(env);
      const rows = await terminal.until('the last stack', (now) =>
        now.some((row) => row.startsWith('third: ')),
      );
      expect(rows.filter((row) => /^(?:first|second|third): /.test(row))).toHaveLength(3);
      expect(rows.filter((row) => cropped.test(row))).toEqual([]);
      terminal.interrupt();
      expect(await terminal.ended).toBe(0);
    },
  );
});
