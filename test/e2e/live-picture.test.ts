import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bundledProgram } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
import { type HeldJob, startHeldJob } from './by-hand/world/held-job.ts';
import { waitUntil } from './by-hand/world/running.ts';
import { openWorld, shortened, type World } from './by-hand/world/world.ts';
import { openPseudoTerminal } from './pseudo-terminal/open.ts';
import { pictureIn, resized } from './pseudo-terminal/resized.ts';

const head = /^── deploy linux/;
const lane = /^ {2}(?:pink|purple)(?: {2,}| [\w-]+(?: ·|$))/;

describeWithTools({ name: 'the live picture at a terminal', needs: ['python3'] }, (tool) => {
  let world: World;
  let job: HeldJob;
  beforeAll(async () => {
    world = await openWorld();
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    job = await startHeldJob(world, { name: 'build-image' });
  });

  function open(size: { rows: number; columns: number }, ...args: string[]) {
    const set = shortened.flatMap((key) => ['--set', key]);
    return openPseudoTerminal({
      python: tool('python3'),
      command: [process.execPath, bundledProgram, 'deploy', '--runner', 'linux', ...set, ...args],
      env: { ...world.environment, TERM: 'xterm-256color' },
      cwd: world.folder,
      ...size,
    });
  }

  /** Decides whether a picture has a head, both lanes and their content. */
  const isWhole = (picture: readonly string[]) =>
    picture.filter((row) => lane.test(row)).length === 2 &&
    picture.some((row) => /^ {2}\w+ +retiring .* 1 job/.test(row)) &&
    picture.some((row) => /^ {6}build-image \d+ for \d/.test(row));
  /** Decides whether the picture shows a drain, without the remains of another head. */
  const drains = (rows: readonly string[]) =>
    rows.filter((row) => head.test(row)).length === 1 && isWhole(pictureIn(rows, head));

  test('shows both shards and their jobs, follows the size, and disappears after Ctrl-C', async () => {
    const terminal = await resized(
      () => open({ rows: 30, columns: 80 }),
      { rows: 12, columns: 50 },
      { head, isWhole },
    );
    expect(pictureIn(terminal.rows(), head).length).toBeLessThan(12);
    terminal.resize({ rows: 30, columns: 120 });
    await terminal.until('a whole picture of 120 columns', drains);
    terminal.interrupt();
    expect(await terminal.ended).toBe(130);
    const left = terminal.rows();
    expect(left.filter((row) => head.test(row) || lane.test(row))).toEqual([]);
    expect(left).toContainEqual(expect.stringMatching(/^✖ deploy: deploy was cancelled\./));
    job.release();
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['a picture', [], true],
    ['--plain', ['--plain'], false],
  ])('causes with %s no difference in the events and the end', async (name, args, isSeen) => {
    const file = join(world.folder, `${name}.jsonl`);
    const terminal = open({ rows: 40, columns: 200 }, '--evidence-file', file, ...args);
    if (isSeen) await terminal.until('a drain in the picture', drains);
    else await waitUntil('a drain in the event file', async () => isWritten(file, '"kind":"busy"'));
    expect(terminal.rows().some((row) => head.test(row))).toBe(isSeen);
    job.release();
    expect(await terminal.ended).toBe(0);
    const left = terminal.rows();
    expect(left.filter((row) => head.test(row) || lane.test(row))).toEqual([]);
    expect(left).toContainEqual(expect.stringMatching(/^ {2}✔ deploy: /));
    const events = readFileSync(file, 'utf8').trim().split('\n');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ kind: 'end', outcome: 'done' });
  });
});

function isWritten(file: string, text: string): true | undefined {
  return readFileSync(file, { encoding: 'utf8', flag: 'a+' }).includes(text) || undefined;
}
