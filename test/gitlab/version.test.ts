import { describe, expect, test } from '@jest/globals';
import { checkServer } from '../../src/app/compose/server-probe.ts';
import type { Log } from '../../src/ports/log-event.ts';

function checkVersion(version: string, probes: boolean): readonly string[] {
  const warned: string[] = [];
  const log = { warn: (text: string) => warned.push(text), event: () => {} } as unknown as Log;
  const server = { version, enterprise: true };
  checkServer({ kind: 'server', server }, { log, probes });
  return warned;
}

describe('the oldest supported GitLab', () => {
  test.each(['17.5.0', '17.11.3-ee', '18.0.0-pre', '20.0.0'])('accepts version %s', (version) => {
    expect(checkVersion(version, true)).toEqual([]);
  });

  test.each(['17.4.9-ee', '16.11.0', '9.5.0'])(
    'refuses version %s before anything starts',
    (version) => {
      expect(() => checkVersion(version, true)).toThrow(
        `GitLab ${version} is too old; 17.5 is the oldest supported version, and no shard was touched.`,
      );
    },
  );

  test('does not stop a deployment that has started', () => {
    expect(checkVersion('17.4.9-ee', false)).toEqual([
      'GitLab is 17.4.9-ee, but 17.5 is the oldest supported version.',
    ]);
  });

  test('accepts an unknown version with a warning', () => {
    expect(checkVersion('tomorrow', true)).toEqual([
      'GitLab reports the unknown version "tomorrow".',
    ]);
  });
});
