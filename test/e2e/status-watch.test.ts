import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundledProgram } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
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

  function watch(
    env: Readonly<Record<string, string>>,
    { args = [], rows = 5 }: { args?: readonly string[]; rows?: number } = {},
  ) {
    return openPseudoTerminal({
      python: tool('python3'),
      command: [process.execPath, bundledProgram, 'status', '--watch', '--config', two, ...args],
      env: { ...world.environment, TERM: 'xterm-256color', ...env },
      cwd: world.folder,
      rows,
      columns: 100,
    });
  }

  const cropped = /^… and \d+ more lines?; make the window taller/;
  /**
   * Decides whether a picture is complete in any form, to detect a wrong one without a wait for the
   * right one.
   */
  const isWhole = (rows: readonly string[]) =>
    rows.some((row) => row.startsWith('third: ') || cropped.test(row));

  test('shows the first stacks in a low window, and explains how to see the others', async () => {
    const terminal = watch({});
    const rows = await terminal.until('a look', isWhole);
    expect(rows[0]).toMatch(/^first: no shard is active\./);
    expect(rows.find((row) => cropped.test(row))).toMatch(/, or name one stack with --runner$/);
    terminal.interrupt();
    expect(await terminal.ended).toBe(0);
  });

  const stacksIn = (rows: readonly string[]) =>
    rows.flatMap((row) => /^(?:first|second|third)(?=: )/.exec(row)?.[0] ?? []);
  const hold = '/gitlab/dedicated/runner/first/deployment_hold';

  test('shows each read in place of the last one, and leaves the last one at its end', async () => {
    const { parameters } = world.sandbox;
    const terminal = watch({}, { rows: 60 });
    const before = await terminal.until('a look', isWhole);
    expect(stacksIn(before)).toEqual(['first', 'second', 'third']);
    parameters.put({ name: hold, value: 'noon', overwrite: true, type: 'String' });
    const isHeld = (now: readonly string[]) => now.some((row) => row.startsWith('  HELD by'));
    expect(stacksIn(await terminal.until('a hold', isHeld))).toEqual(['first', 'second', 'third']);
    parameters.remove(hold);
    const isFree = (now: readonly string[]) => isWhole(now) && !isHeld(now);
    await terminal.until('its end', isFree);
    terminal.interrupt();
    expect(await terminal.ended).toBe(0);
    expect(stacksIn(terminal.rows())).toEqual(['first', 'second', 'third']);
    expect(terminal.rows().join('\n')).not.toContain('^C');
  });

  test('draws nothing in place with --plain, too', async () => {
    const terminal = watch({}, { args: ['--plain'] });
    const rows = await terminal.until('the second look', (now) => stacksIn(now).length === 6);
    expect(rows.filter((row) => cropped.test(row))).toEqual([]);
    terminal.interrupt();
    expect(await terminal.ended).toBe(0);
  });

  // A dumb terminal cannot redraw, and a CI's log is no terminal under any value of `TERM`.
  test.each<Record<string, string>>([{ TERM: 'dumb' }, { CI: 'true' }])(
    'draws nothing in place with %j',
    async (env) => {
      const terminal = watch(env);
      const rows = await terminal.until('a look', isWhole);
      expect(stacksIn(rows)).toEqual(['first', 'second', 'third']);
      expect(rows.filter((row) => cropped.test(row))).toEqual([]);
      terminal.interrupt();
      expect(await terminal.ended).toBe(0);
    },
  );
});
