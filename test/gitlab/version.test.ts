import { describe, expect, test } from '@jest/globals';
import { checkServer } from '../../src/app/compose/server-probe.ts';
import type { Log } from '../../src/ports/log-event.ts';

function judged(version: string, probes: boolean): readonly string[] {
  const warned: string[] = [];
  const log = { warn: (text: string) => warned.push(text), event: () => {} } as unknown as Log;
  const server = { version, enterprise: true };
  checkServer({ kind: 'server', server }, { log, probes });
  return warned;
}

describe('the oldest supported GitLab', () => {
  test.each(['17.5.0', '17.11.3-ee', '18.0.0-pre', '20.0.0'])('is not newer than %s', (version) => {
    expect(judged(version, true)).toEqual([]);
  });

  test.each(['17.4.9-ee', '16.11.0', '9.5.0'])(
    'is newer than %s, where nothing begins',
    (version) => {
      expect(() => judged(version, true)).toThrow(
        `GitLab is ${version}, and 17.5 is the oldest that is supported; no shard was touched.`,
      );
    },
  );

  test('does not keep back what is begun', () => {
    expect(judged('17.4.9-ee', false)).toEqual([
      'GitLab is 17.4.9-ee, and 17.5 is the oldest that is supported.',
    ]);
  });

  test('is not held against a version in words that we do not know', () => {
    expect(judged('tomorrow', true)).toEqual([
      'GitLab says that its version is "tomorrow", which is none that we know.',
    ]);
  });
});
