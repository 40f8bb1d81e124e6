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
  ])('maps %j to %s', (text, digest) => {
    expect(digestOf(text)).toBe(digest);
  });

  test('ignores the order of the names in an object', () => {
    expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe(
      '{"a":null,"b":[{"d":1}]}',
    );
  });
});

const made: Fingerprint = { settings: 's', plan: 'p', images: 'ami-1', commit: 'c' };

describe('two fingerprints', () => {
  test.each<readonly [string, Fingerprint, boolean]>([
    ['match with the same plan, whatever the commit', { ...made, commit: 'd' }, true],
    ['differ by the settings', { ...made, settings: 't' }, false],
    ['differ by the image', { ...made, images: 'ami-2' }, false],
    [
      'differ by the image, even if the rest of the plan is unknown',
      { settings: 's', images: 'ami-2', commit: 'c' },
      false,
    ],
    ['differ by any planned value', { ...made, plan: 'q' }, false],
    [
      'differ by the commit if a plan is unknown',
      { settings: 's', images: 'ami-1', commit: 'd' },
      false,
    ],
    ['match without any known difference', { settings: 's' }, true],
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

  test('ignores the machine and the length of waits', () => {
    const moved = { ...terraform, directory: '/builds/2/infrastructure', timeoutMs: 2 };
    const other = stackSettings({ infrastructure: moved, drain: { ...stack.drain, pollMs: 1 } });
    expect(settingsDigest(other)).toBe(settingsDigest(stack));
  });

  test.each([
    ['a tag', { registration: { ...stack.registration, tags: ['arm'] } }],
    ['a variable of Terraform', { infrastructure: { ...terraform, variables: ['size=small'] } }],
    ['another number of managers', { managers: 2 }],
  ])('changes with %s', (_, change) => {
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

describe('the fingerprint of a plan', () => {
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
  ])('ignores %s', (_, other) => {
    expect(plan(other)).toEqual(whole);
  });

  test('differs by every other value and by the set of resources', () => {
    const small = plan(change({ after: { ami: 'ami-1', instance_type: 'm7g.small' } }));
    const more = plan(change(), change({ address: 'aws_eip.manager', after: {} }));
    expect(new Set([whole, small, more].map((one) => one.plan)).size).toBe(3);
  });

  test('contains every image, including those of launch templates', () => {
    const template = change({
      address: 'aws_launch_template.worker',
      after: { image_id: 'ami-0' },
    });
    expect(plan(change(), template).images).toBe('ami-0,ami-1');
  });

  test('contains a digest of many images', () => {
    const many = [...Array(9).keys()].map((index) =>
      change({ address: `aws_instance.a[${index}]`, after: { ami: `ami-${index}` } }),
    );
    expect(plan(...many).images).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each([['update'], ['no-op'], ['delete', 'create']])(
    'contains only the images if a resource already exists (%s)',
    (...actions) => {
      expect(plan(change({ actions }), change({ address: 'b' }))).toEqual({ images: 'ami-1' });
    },
  );

  test('contains nothing if the plan destroys resources', () => {
    expect(plan(change({ actions: ['delete'], after: null }))).toEqual({});
  });
});

describe('the notes of rolled back deployments', () => {
  const record = (fingerprint?: Fingerprint): DeploymentRecord =>
    ({
      deployment: { id: '1-200', ...(fingerprint === undefined ? {} : { fingerprint }) },
      shards: {},
      history: [],
    }) as unknown as DeploymentRecord;
  const note = { at: '2026-11-25T10:00:00.000Z', why: 'broken' };

  test('lack a deployment whose fingerprint was not recorded', () => {
    expect(withRolledBack(record(), note).rollbacks).toBeUndefined();
  });

  test('stay limited to three, newest first, one per fingerprint', () => {
    let noted = record(made);
    for (const images of ['ami-1', 'ami-2', 'ami-3', 'ami-1', 'ami-4'])
      noted = withRolledBack({ ...noted, ...record({ ...made, images }) }, note);
    expect(noted.rollbacks?.map((one) => one.made.images)).toEqual(['ami-4', 'ami-1', 'ami-3']);
  });

  test('shorten the reason', () => {
    const long = withRolledBack(record(made), { ...note, why: 'x'.repeat(400) });
    expect(long.rollbacks?.[0]?.why).toBe(`${'x'.repeat(157)}…`);
    const wide = withRolledBack(record(made), { ...note, why: '壊'.repeat(400) });
    expect(wide.rollbacks?.[0]?.why).toBe(`${'壊'.repeat(52)}…`);
  });

  test('match by their fingerprint and are removed once it is deployed successfully', () => {
    const noted = withRolledBack(record(made), note);
    expect(findRolledBack(noted, { settings: 's' })?.id).toBe('1-200');
    expect(findRolledBack(noted, { ...made, images: 'ami-2' })).toBeUndefined();
    expect(withoutRolledBack(noted).rollbacks).toBeUndefined();
    const other = { ...noted, deployment: record({ ...made, images: 'ami-2' }).deployment };
    expect(withoutRolledBack(other).rollbacks).toHaveLength(1);
  });
});
