import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { tailLog } from '../../../sandbox/hosts/inside.ts';
import type { LogFormat } from '../../../sandbox/manager/log-format.ts';
import { causeLines } from '../../../src/domain/text/log-line.ts';
import { openSandbox, registerRunner, until } from '../hosts/running-sandbox.ts';

/** Returns the lines of one job in a log of gitlab-runner 19.4.0. */
function released(name: string, job: number): readonly string[] {
  const file = `test/fixtures/gitlab-runner-19.4.0/${name}.log`;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(` job=${job} `));
}

/** Returns the log of the sandbox's manager, from the job request to the removal of the job. */
async function logOf(options: { logFormat?: LogFormat; runnerVersion?: string; script: string }) {
  const { script, ...behaviour } = options;
  const lastLine = behaviour.runnerVersion === undefined ? /Removed job/ : /Job succeeded/;
  const world = await openSandbox({ behaviour: { traceIntervalMs: 60_000, ...behaviour } });
  try {
    await registerRunner(world);
    const { instanceIds } = await world.sandbox.stacks.apply({
      runnerName: 'linux',
      shard: 'pink',
    });
    const machine = world.sandbox.fleet.machine(instanceIds[0] ?? '');
    await until(() => machine?.unit?.contactedAt);
    const { id } = world.sandbox.gitlab.submitJob({
      project: 201,
      tags: ['linux'],
      script: [script],
    });
    return await until(() => {
      const text = tailLog({ logFile: machine?.logFile ?? '' }, 1000).replaceAll(
        /\u001b\[[\d;]*m/g,
        '',
      );
      const lines = text
        .split('\n')
        .filter((line) => new RegExp(`\\bjob"?[=:]${id}\\b`).test(line));
      const isWhole = lastLine.test(lines.at(-1) ?? '');
      return isWhole && lines;
    });
  } finally {
    await world.close();
  }
}

/** Returns a line's message with its level, and the field names in order. */
function shapeOf(line: string): string {
  const [message = ''] = line.split(/ {2,}| (?=[\w-]+=)/);
  const fields = [...line.slice(message.length).matchAll(/ ([\w-]+)=/g)].map(([, name]) => name);
  return `${message}: ${fields.join(' ')}`;
}

describe('a job in the log of the sandbox’s manager', () => {
  test('prints, if it succeeds, the lines of gitlab-runner 19.4 with levels, order and fields', async () => {
    expect((await logOf({ script: 'true' })).map(shapeOf)).toEqual(
      released('forced-shutdown-timed-out', 900001).map(shapeOf),
    );
  });

  test('prints, if it fails, the lines of gitlab-runner 19.4 with levels, order and fields', async () => {
    const words = (line: string) => shapeOf(line).replace(/(?<=Job failed): .*?:/, ':');
    const expected = released('failed-job', 900002).filter(
      // The sandbox has no custom executor, so this line is excluded.
      (line) => !line.startsWith('WARNING: custom executor'),
    );
    expect((await logOf({ script: 'exit 3' })).map(words)).toEqual(expected.map(words));
  });

  test('prints only its request and its end in a version before 19', async () => {
    const log = await logOf({ script: 'true', runnerVersion: '18.3.0' });
    expect(log.map((line) => line.split(/ {2,}/)[0])).toEqual([
      'Checking for jobs... received',
      'Job succeeded',
    ]);
  });

  test.each<[LogFormat]>([['runner'], ['text'], ['json']])(
    'gives its own cause in the format %s, not the lines after the cause',
    async (logFormat) => {
      const log = await logOf({ script: 'exit 3', logFormat });
      expect(log.filter((line) => line.includes('Removed job from processing list'))).toHaveLength(
        1,
      );
      expect(causeLines(log, 3)).toEqual([
        'WARNING: Job failed: exit status 3 failure_reason=script_failure',
      ]);
    },
  );
});
