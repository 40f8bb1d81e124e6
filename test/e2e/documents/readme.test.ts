import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockOf } from '../../docs/shown-blocks.ts';
import { root } from '../../support/program.ts';
import { describeWithTools } from '../../support/tools.ts';
import { isWait, lasting } from './sample.ts';
import { openPlace, openTerminal, serveSandbox, type Typed } from './terminal.ts';

const byHand = (count: number) => blockOf('README.md', `Deploy in the sandbox, by hand ${count}`);
describeWithTools({ name: 'the README, typed', needs: ['curl'] }, () => {
  const place = openPlace();
  let sandbox: Awaited<ReturnType<typeof serveSandbox>>;
  /** What each block printed, by its place in the document; the session is one, and in its order. */
  const printed = new Map<string, readonly Typed[]>();

  beforeAll(async () => {
    // A job that sleeps for a minute and a half does so until the drain has seen it.
    const isSeen = join(place.folder, 'seen');
    place.standIn('sleep', `while [ ! -e '${isSeen}' ]; do /bin/sleep 0.1; done`);
    sandbox = await serveSandbox(place, byHand(1));
    const terminal = openTerminal(place);
    const paste = async (name: string, block: string) =>
      printed.set(name, await terminal.paste(block));
    await paste('first', byHand(2));
    const second = paste('second', byHand(4));
    await terminal.until(/^ {2}Waiting: .*job \d+ "job" is running/m);
    writeFileSync(isSeen, '');
    await second;
    await paste('jobs', 'curl --silent "$HOSTED_RUNNER_SANDBOX_URL/sandbox/jobs"');
    await paste('stages', byHand(5));
    await paste('unhealthy', byHand(6));
    const [request = ''] = byHand(6).split('\nhosted-runner');
    // Whoever sits at a terminal types the shard's name in the place of --yes.
    const mend = 'hosted-runner recover --runner linux --method cleanup --yes';
    const lines = [
      request.replace('never_contacts', 'ok'),
      mend,
      'hosted-runner deploy --runner linux',
    ];
    await paste('mended', lines.join('\n'));
    await terminal.close();
  });
  afterAll(async () => {
    expect(await sandbox.stop()).toContain('# Powering the machines off.');
    place.remove();
  });

  const of = (name: string) => printed.get(name) ?? [];
  const textOf = (name: string, line = 0) => of(name)[line]?.text ?? '';

  test.each([
    ['first', 3],
    ['second', 3],
    ['stages', 5],
    ['mended', 3],
  ])('of the %s lines each ends with 0', (name, count) => {
    const typed = of(name);
    expect(typed).toHaveLength(count);
    expect(typed.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  });

  function expectSample(sample: string, text: string): void {
    const withoutWaits = (one: string) => lasting(one).filter((line) => !isWait(line));
    expect(withoutWaits(text)).toEqual(withoutWaits(sample));
  }

  test('the first deployment prints the sample', () => {
    expectSample(byHand(3), textOf('first', 2));
  });

  test('the second one waits for the job, and its status is shown', () => {
    expect(textOf('second', 1)).toMatch(/^ {2}Accounted: 1 job finished while its shard drained/m);
    expect(textOf('second', 2)).toMatch(/\bpurple\W+active\b/);
    const jobs: { tags: readonly string[]; status: string }[] = JSON.parse(textOf('jobs'));
    expect(jobs.filter(({ tags }) => tags.includes('linux'))).toEqual([
      expect.objectContaining({ status: 'success' }),
    ]);
  });

  test('what a stage prints as next is typed after it, or named below', () => {
    const next = of('stages').map(({ text }) => /^ {2}Next: hosted-runner (\w+)/m.exec(text)?.[1]);
    const after = ['provision', 'provision', 'finalize', 'finalize', undefined];
    expect(next).toEqual(after);
    expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(
      '`provision`, which onboards as well, and after it `finalize`, which does whatever is left, `shutdown` and `cleanup` in one.',
    );
  });

  test('a candidate that never contacts GitLab prints the sample of an error', () => {
    const [behaviour, deploy] = of('unhealthy');
    expect([behaviour?.exitCode, deploy?.exitCode]).toEqual([0, 1]);
    const text = deploy?.text ?? '';
    // Where no terminal asks, the command that asks is printed with its answer.
    expectSample(byHand(7), text.slice(text.indexOf('✖')).replace(/ --yes$/m, ''));
  });

  test('each wait of the samples was waited for', () => {
    const said = [...printed.values()].flat().flatMap(({ text }) => lasting(text));
    const waits = [3, 7].flatMap((count) => lasting(byHand(count))).filter(isWait);
    expect(waits.length).toBeGreaterThan(2);
    expect(waits.filter((line) => !said.includes(line))).toEqual([]);
  });

  test('init writes a file that says what is to be filled in, and the smallest one is valid', async () => {
    const empty = openPlace();
    const fresh = openTerminal(empty);
    try {
      await fresh.paste(`alias hosted-runner="node ${join(place.folder, 'dist/index.js')}"`);
      const [init, validate] = await fresh.paste(blockOf('README.md', 'Configure 1'));
      expect([init?.exitCode, validate?.exitCode]).toEqual([0, 2]);
      expect(validate?.text.match(/still to be filled in/g)).toHaveLength(
        init?.text.match(/^ {2}hosted-runners\.yml:\d+ /gm)?.length ?? 0,
      );
      for (const text of smallest()) {
        writeFileSync(join(empty.folder, 'hosted-runners.yml'), text);
        expect(await fresh.paste('hosted-runner validate')).toEqual([
          expect.objectContaining({ exitCode: 0 }),
        ]);
      }
    } finally {
      await fresh.close();
      empty.remove();
    }
  });

  /** As it stands there, and with commands in the place of its driver. */
  function smallest(): string[] {
    const text = blockOf('README.md', 'Configure 2');
    const [head] = text.split('    infrastructure:\n');
    return [text, `${head}${blockOf('README.md', 'Configure 3')}`];
  }
});
