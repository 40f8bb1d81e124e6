import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { blockOf } from '../../docs/shown-blocks.ts';
import { read } from '../../structure/tree.ts';
import { openPlace, openTerminal, type Place, startSandbox } from './terminal.ts';

const document = 'docs/use/sandbox.md';
const started = (block: string) => `alias hosted-runner="node $PWD/dist/index.js"\n${block}`;
let place: Place;
beforeEach(() => {
  place = openPlace();
});
afterEach(() => place.remove());

test('the sandbox has the documented endpoints, signals and faults, and ends at Ctrl-C', async () => {
  const sandbox = await startSandbox(place, started(blockOf(document, 'Sandbox 1')));
  const exported = new Map(
    [...sandbox.exports.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
  try {
    expect([...exported.keys()].sort()).toEqual([...variablesIn(read(document))].sort());
    expect(exported.get('HOSTED_RUNNER_CONFIG')).toBe(
      `${place.folder}/.hosted-runner/sandbox/hosted-runners.yml`,
    );
    const config = exported.get('HOSTED_RUNNER_CONFIG') ?? '';
    expect(parse(readFileSync(config, 'utf8')).defaults.bake).toBeUndefined();
    const terminal = openTerminal({
      ...place,
      env: { ...place.env, ...Object.fromEntries(exported) },
    });
    await terminal.paste(started(''));
    const bake = blockOf(document, 'The signals of a bake 1');
    // The command must work with GNU's sed and macOS's, whose -i requires a suffix.
    expect(bake).toMatch(/^sed -i\.\w+ '/m);
    const typed = await terminal.paste(`${bake}${blockOf(document, 'The signals of a bake 2')}`);
    await terminal.close();
    expect(typed.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(typed.at(-2)?.text).toContain(
      'good: health, prometheus[0], cloudwatch_alarms, webhook, canary.',
    );
    expect(parse(readFileSync(config, 'utf8')).defaults.bake).toMatchObject({ for: '30s' });
    const faults = `${exported.get('HOSTED_RUNNER_SANDBOX_URL')}/sandbox/faults`;
    const body = blockOf(document, 'Faults 1');
    const answer = await fetch(faults, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.ok).toBe(true);
    expect(await (await fetch(faults)).json()).toEqual([expect.objectContaining(JSON.parse(body))]);
  } finally {
    expect(await sandbox.stop()).toContain('# Powering the machines off.');
  }
});

test('the sandbox simulates the requested GitLab version', async () => {
  const sandbox = await startSandbox(place, started(blockOf(document, 'GitLab versions 1')));
  expect(await sandbox.stop()).toMatch(/^# GitLab 17\.5 /m);
});

/**
 * Returns the variables in the table. A name that begins with … has the start of the name before
 * it.
 */
function variablesIn(text: string): readonly string[] {
  const rows = [...text.matchAll(/^\| ((?:`[A-Z0-9_…]+`(?:, )?)+) \|/gm)].map(
    ([, row = '']) => row,
  );
  return rows.flatMap((row) => {
    const [first = '', ...rest] = [...row.matchAll(/`([A-Z0-9_…]+)`/g)].map(([, one = '']) => one);
    const stem = first.slice(0, first.lastIndexOf('_'));
    return [first, ...rest.map((one) => one.replace('…', stem))];
  });
}
