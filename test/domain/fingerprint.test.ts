import { describe, expect, test } from '@jest/globals';
import type { DeploymentRecord } from '../../src/domain/deployment/record.ts';
import { canonicalJson, digestOf } from '../../src/domain/digest.ts';
import {
  type Fingerprint,
  isSame,
  settingsDigest,
} from '../../src/domain/fingerprint/fingerprint.ts';
import {
  findRolledBack,
  withoutRolledBack,
  withRolledBack,
} from '../../src/domain/fingerprint/rollback-notes.ts';
import type { PlannedChange } from '../../src/domain/plan/plan.ts';
import { plannedBuild } from '../../src/domain/plan/plan-build.ts';
import { stackSettings } from '../fakes/builders.ts';

describe('a digest', () => {
  // The vectors of http://www.isthe.com/chongo/tech/comp/fnv/.
  test.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('of %j is %s', (text, digest) => {
    expect(digestOf(text)).toBe(digest);
  });

  test('is the same for objects that differ in the order of their names', () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe(
      '{"a":null,"b":[{"d":1}]}',
    );
  });
});

const made: Fingerprint = { settings: 's', plan: 'p', images: 'ami-1', commit: 'c' };

describe('two fingerprints', () => {
  test.each<readonly [string, Fingerprint, boolean]>([
    [
      'are the same whatever the commit, where all that is planned is',
      { ...made, commit: 'd' },
      true,
    ],
    ['differ by the settings', { ...made, settings: 't' }, false],
    ['differ by the image', { ...made, images: 'ami-2' }, false],
    [
      'differ by the image also where the rest of the plan is not known',
      { settings: 's', images: 'ami-2', commit: 'c' },
      false,
    ],
    ['differ by anything planned', { ...made, plan: 'q' }, false],
    [
      'differ by the commit where a plan is not known',
      { settings: 's', images: 'ami-1', commit: 'd' },
      false,
    ],
    ['are the same where nothing tells them apart', { settings: 's' }, true],
  ])('%s', (_, other, same) => {
    expect(isSame(made, other)).toBe(same);
    expect(isSame(other, made)).toBe(same);
  });
});

describe('the digest of the settings', () => {
  const terraform = {
    driver: 'terraform',
    binary: 'terraform',
    directory: 'infrastructure',
    backendConfig: [],
    varFiles: ['{shard}.tfvars'],
    variables: ['size=large'],
    lockTimeoutMs: 1,
    ownNames: [],
    stackTag: 'a',
    shardTag: 'b',
    passEnvironment: [],
    timeoutMs: 1,
  } as const;
  const stack = stackSettings({ infrastructure: terraform });

  test('is that of another machine, and of whoever waits longer', () => {
    const moved = { ...terraform, directory: '/builds/2/infrastructure', timeoutMs: 2 };
    const other = stackSettings({ infrastructure: moved, drain: { ...stack.drain, pollMs: 1 } });
    expect(settingsDigest(other)).toBe(settingsDigest(stack));
  });

  test.each([
    ['a tag', { registration: { ...stack.registration, tags: ['arm'] } }],
    ['a variable of Terraform', { infrastructure: { ...terraform, variables: ['size=small'] } }],
    ['how many managers there are', { managers: 2 }],
  ])('is another one with %s', (_, change) => {
    expect(settingsDigest({ ...stack, ...change })).not.toBe(settingsDigest(stack));
  });
});

function change(over: Partial<PlannedChange> = {}): PlannedChange {
  return {
    address: 'aws_instance.manager',
    type: 'aws_instance',
    actions: ['create'],
    isData: false,
    isDeposed: false,
    isImport: false,
    before: null,
    after: { ami: 'ami-1', instance_type: 'm7g.large', tags: { pipeline: '7' } },
    afterUnknown: {},
    afterSensitive: {},
    replacePaths: [],
    ...over,
  };
}

const plan = (...changes: readonly PlannedChange[]) =>
  plannedBuild({
    formatVersion: '1.2',
    changes,
    beyond: [],
    errored: false,
    complete: true,
    applyable: true,
    outputsChange: false,
  });

describe('what a plan builds', () => {
  const whole = plan(change());

  test.each<readonly [string, PlannedChange]>([
    [
      'its tags',
      change({ after: { ami: 'ami-1', instance_type: 'm7g.large', tags: { pipeline: '8' } } }),
    ],
    [
      'its secrets',
      change({
        after: { ami: 'ami-1', instance_type: 'm7g.large', user_data: 'token=glrt-1' },
        afterSensitive: { user_data: true },
      }),
    ],
  ])('is the same whatever %s', (_, other) => {
    expect(plan(other)).toEqual(whole);
  });

  test('is told apart by every other value, and by what there is', () => {
    const small = plan(change({ after: { ami: 'ami-1', instance_type: 'm7g.small' } }));
    const more = plan(change(), change({ address: 'aws_eip.manager', after: {} }));
    expect(new Set([whole, small, more].map((one) => one.plan)).size).toBe(3);
  });

  test('has every image, of launch templates as well', () => {
    const template = change({
      address: 'aws_launch_template.worker',
      after: { image_id: 'ami-0' },
    });
    expect(plan(change(), template).images).toBe('ami-0,ami-1');
  });

  test('of many images has a digest of them', () => {
    const many = [...Array(9).keys()].map((index) =>
      change({ address: `aws_instance.a[${index}]`, after: { ami: `ami-${index}` } }),
    );
    expect(plan(...many).images).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each([['update'], ['no-op'], ['delete', 'create']])(
    'is known by its images alone where something is there already (%s)',
    (...actions) => {
      expect(plan(change({ actions }), change({ address: 'b' }))).toEqual({ images: 'ami-1' });
    },
  );

  test('of a plan that destroys is nothing', () => {
    expect(plan(change({ actions: ['delete'], after: null }))).toEqual({});
  });
});

describe('the notes of what was taken back', () => {
  const record = (fingerprint?: Fingerprint): DeploymentRecord =>
    ({
      deployment: { id: '1-200', ...(fingerprint === undefined ? {} : { fingerprint }) },
      shards: {},
      history: [],
    }) as unknown as DeploymentRecord;
  const note = { at: '2026-11-25T10:00:00.000Z', why: 'broken' };

  test('are none of a deployment whose fingerprint nobody wrote down', () => {
    expect(withRolledBack(record(), note).rollbacks).toBeUndefined();
  });

  test('are three at most, the newest first, and one for each', () => {
    let noted = record(made);
    for (const images of ['ami-1', 'ami-2', 'ami-3', 'ami-1', 'ami-4'])
      noted = withRolledBack({ ...noted, ...record({ ...made, images }) }, note);
    expect(noted.rollbacks?.map((one) => one.made.images)).toEqual(['ami-4', 'ami-1', 'ami-3']);
  });

  test('say what was wrong in few words', () => {
    const long = withRolledBack(record(made), { ...note, why: 'x'.repeat(400) });
    expect(long.rollbacks?.[0]?.why).toBe(`${'x'.repeat(157)}…`);
    const wide = withRolledBack(record(made), { ...note, why: '壊'.repeat(400) });
    expect(wide.rollbacks?.[0]?.why).toBe(`${'壊'.repeat(52)}…`);
  });

  test('are found by what they were made of, and gone once that has ended well', () => {
    const noted = withRolledBack(record(made), note);
    expect(findRolledBack(noted, { settings: 's' })?.id).toBe('1-200');
    expect(findRolledBack(noted, { ...made, images: 'ami-2' })).toBeUndefined();
    expect(withoutRolledBack(noted).rollbacks).toBeUndefined();
    const other = { ...noted, deployment: record({ ...made, images: 'ami-2' }).deployment };
    expect(withoutRolledBack(other).rollbacks).toHaveLength(1);
  });
});
