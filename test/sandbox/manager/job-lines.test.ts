import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { tailLog } from '../../../sandbox/hosts/inside.ts';
import type { LogFormat } from '../../../sandbox/manager/log-format.ts';
import { causeLines } from '../../../src/domain/text/log-line.ts';
import { openSandbox, registerRunner, until } from '../hosts/running-sandbox.ts';

/** The lines of one job in a log of gitlab-runner 19.4.0. */
function released(name: string, job: number): readonly string[] {
  const file = `test/fixtures/gitlab-runner-19.4.0/${name}.log`;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(` job=${job} `));
}

/** What the sandbox's manager logs from the request of a job until the job is off its list. */
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

/** The message with its level, and the names of the fields in their order. */
function shapeOf(line: string): string {
  const [message = ''] = line.split(/ {2,}| (?=[\w-]+=)/);
  const fields = [...line.slice(message.length).matchAll(/ ([\w-]+)=/g)].map(([, name]) => name);
  return `${message}: ${fields.join(' ')}`;
}

describe('a job in the log of the sandbox’s manager', () => {
  test('that succeeds has the lines of gitlab-runner 19.4, their levels, order and fields', async () => {
    expect((await logOf({ script: 'true' })).map(shapeOf)).toEqual(
      released('forced-shutdown-timed-out', 900001).map(shapeOf),
    );
  });

  test('that fails has the lines of gitlab-runner 19.4, their levels, order and fields', async () => {
    const words = (line: string) => shapeOf(line).replace(/(?<=Job failed): .*?:/, ':');
    const expected = released('failed-job', 900002).filter(
      // The executor's own line: the sandbox has no custom executor.
      (line) => !line.startsWith('WARNING: custom executor'),
    );
    expect((await logOf({ script: 'exit 3' })).map(words)).toEqual(expected.map(words));
  });

  test('of a version before 19 is its request and its end', async () => {
    const log = await logOf({ script: 'true', runnerVersion: '18.3.0' });
    expect(log.map((line) => line.split(/ {2,}/)[0])).toEqual([
      'Checking for jobs... received',
      'Job succeeded',
    ]);
  });

  test.each<[LogFormat]>([['runner'], ['text'], ['json']])(
    'is quoted by its cause in the format %s, and not by the lines that follow the cause',
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
