import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockOf } from '../../docs/shown-blocks.ts';
import { root } from '../../support/program.ts';
import { describeWithTools } from '../../support/tools.ts';
import { isWait, lasting } from './sample.ts';
import { openPlace, openTerminal, startSandbox, type Typed } from './terminal.ts';

const walkthrough = 'docs/use/walkthrough.md';
/** Returns a block of commands to type, or of output to compare. */
const block = (heading: string) => blockOf(walkthrough, heading);
const infrastructure = (name: string) => blockOf('docs/use/infrastructure.md', name);
describeWithTools({ name: 'the typed walkthrough and installation', needs: ['curl'] }, () => {
  const place = openPlace();
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  /**
   * Output of each block by its place in the document. All blocks run in one session, in order.
   */
  const printed = new Map<string, readonly Typed[]>();

  beforeAll(async () => {
    // The stand-in for `sleep` ends when the drain has seen its job.
    const isSeen = join(place.folder, 'seen');
    place.standIn('sleep', `while [ ! -e '${isSeen}' ]; do /bin/sleep 0.1; done`);
    sandbox = await startSandbox(place, block('First deployment 1'));
    const terminal = openTerminal(place);
    const paste = async (name: string, lines: string) =>
      printed.set(name, await terminal.paste(lines));
    await paste('first', block('First deployment 2'));
    const second = paste('second', block('Replacement 1'));
    await terminal.until(/^ {2}Waiting for pink to drain: .*job \d+ "job" is running/m);
    writeFileSync(isSeen, '');
    await second;
    await paste('jobs', 'curl --silent "$HOSTED_RUNNER_SANDBOX_URL/sandbox/jobs"');
    await paste('stages', block('Stages 1'));
    await paste('unhealthy', block('Failed candidate 1'));
    const [request = ''] = block('Failed candidate 1').split('\nhosted-runner');
    // At a terminal, the operator types the shard's name instead of `--yes`.
    const recovery = 'hosted-runner recover --runner linux --method cleanup --yes';
    const lines = [
      request.replace('never_contacts', 'ok'),
      recovery,
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
  ])('every line of the %s part exits with 0', (name, count) => {
    const typed = of(name);
    expect(typed).toHaveLength(count);
    expect(typed.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
  });

  function expectSample(sample: string, text: string): void {
    const withoutWaits = (one: string) => lasting(one).filter((line) => !isWait(line));
    expect(withoutWaits(text)).toEqual(withoutWaits(sample));
  }

  test('the first deployment prints the sample', () => {
    expectSample(block('First deployment 3'), textOf('first', 2));
  });

  test('the second deployment waits for the job, and its status is shown', () => {
    expect(textOf('second', 1)).toMatch(/^ {2}Summary: 1 job finished while its shard drained/m);
    expect(textOf('second', 2)).toMatch(/\bpurple\W+active\b/);
    const jobs: { tags: readonly string[]; status: string }[] = JSON.parse(textOf('jobs'));
    expect(jobs.filter(({ tags }) => tags.includes('linux'))).toEqual([
      expect.objectContaining({ status: 'success' }),
    ]);
  });

  test('each printed next command is typed afterwards, or explained below', () => {
    const next = of('stages').map(({ text }) => /^ {2}Next: hosted-runner (\w+)/m.exec(text)?.[1]);
    const after = ['provision', 'provision', 'finalize', 'finalize', undefined];
    expect(next).toEqual(after);
    expect(readFileSync(join(root, walkthrough), 'utf8')).toContain(
      '`provision` includes `onboard`. `finalize` includes `shutdown` and `cleanup`.',
    );
  });

  test('a candidate that never contacts GitLab prints the sample of an error', () => {
    const [behaviour, deploy] = of('unhealthy');
    expect([behaviour?.exitCode, deploy?.exitCode]).toEqual([0, 1]);
    const text = deploy?.text ?? '';
    // Without a terminal, errors print interactive commands with `--yes`.
    expectSample(
      block('Failed candidate 2'),
      text.slice(text.indexOf('✖')).replace(/ --yes$/m, ''),
    );
  });

  test('each wait of the samples occurs', () => {
    const lines = [...printed.values()].flat().flatMap(({ text }) => lasting(text));
    const waits = ['First deployment 3', 'Failed candidate 2']
      .flatMap((one) => lasting(block(one)))
      .filter(isWait);
    expect(waits.length).toBeGreaterThan(2);
    expect(waits.filter((line) => !lines.includes(line))).toEqual([]);
  });

  test('init writes a file that marks the places to fill in, and the smallest file is valid', async () => {
    const empty = openPlace();
    const fresh = openTerminal(empty);
    try {
      await fresh.paste(`alias hosted-runner="node ${join(place.folder, 'dist/index.js')}"`);
      const [init, validate] = await fresh.paste('hosted-runner init\nhosted-runner validate');
      expect([init?.exitCode, validate?.exitCode]).toEqual([0, 2]);
      expect(validate?.text.match(/replace FILL_IN by a value/g)).toHaveLength(
        init?.text.match(/^ {2}\S+\.yml:\d+ /gm)?.length ?? 0,
      );
      rmSync(join(empty.folder, '.gitlab-ci.yml'));
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

  /** Returns the document's configuration as it is, and with a driver of commands. */
  function smallest(): string[] {
    const text = infrastructure('Your own root module 1');
    const [head] = text.split('    infrastructure:\n');
    return [text, `${head}${infrastructure('Your own commands 1')}`];
  }
});
