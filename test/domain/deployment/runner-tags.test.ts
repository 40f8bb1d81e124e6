import { expect, test } from '@jest/globals';
import {
  hasProductionTags,
  isCanaryTag,
  takesCustomerJobs,
} from '../../../src/domain/deployment/guards/runner-tags.ts';
import type { DeploymentRecord } from '../../../src/domain/deployment/record.ts';
import { settingsDigest } from '../../../src/domain/fingerprint/fingerprint.ts';
import { stackSettings } from '../../fakes/builders.ts';
import { pink, purple, recordAt } from '../samples.ts';

const settings = stackSettings();
const inProduction = { [pink]: { productionTag: true }, [purple]: { productionTag: true } };

const gitHub = {
  scope: { kind: 'organization', organization: 'acme' },
  groups: { production: 'Default' },
  ephemeral: false,
} as const;

type Case = [
  string,
  {
    tags: string[];
    shard: typeof pink;
    record: DeploymentRecord | undefined;
    runUntagged?: boolean;
    isGitHub?: boolean;
  },
  { takes: boolean; acceptsJobs: boolean },
];

const done = (digest: string) =>
  recordAt({ phase: 'done', fingerprint: { settings: digest } }, inProduction);
const yes = { takes: true, acceptsJobs: true };
const no = { takes: false, acceptsJobs: false };

test.each<Case>([
  ['current tags', { tags: ['linux'], shard: purple, record: recordAt() }, yes],
  [
    'former tags that were once in production',
    { tags: ['old'], shard: pink, record: recordAt({}, inProduction) },
    yes,
  ],
  ['former tags without a record', { tags: ['old'], shard: pink, record: undefined }, yes],
  [
    'tags that an operator gave a candidate',
    { tags: ['special'], shard: purple, record: recordAt() },
    no,
  ],
  [
    'former tags of a shard that is being deployed',
    { tags: ['old'], shard: purple, record: recordAt({ phase: 'drained' }, inProduction) },
    { takes: true, acceptsJobs: false },
  ],
  [
    'former tags of a shard whose deployment is done',
    { tags: ['old'], shard: purple, record: recordAt({ phase: 'done' }, inProduction) },
    yes,
  ],
  [
    'tags that an operator gave a shard after a deployment with the current configuration',
    { tags: ['special'], shard: purple, record: done(settingsDigest(settings)) },
    { takes: true, acceptsJobs: false },
  ],
  [
    'a tag that an operator added after a deployment with the current configuration',
    { tags: ['linux', 'special'], shard: purple, record: done(settingsDigest(settings)) },
    yes,
  ],
  [
    'untagged jobs after a deployment with the current configuration',
    { tags: [], runUntagged: true, shard: purple, record: done(settingsDigest(settings)) },
    yes,
  ],
  [
    'untagged jobs of a shard that is being deployed',
    {
      tags: ['canary-1-200-linux'],
      runUntagged: true,
      shard: purple,
      record: recordAt({}, inProduction),
    },
    yes,
  ],
  [
    'a GitHub label in other letter case on a candidate',
    { tags: ['Linux'], shard: purple, record: recordAt(), isGitHub: true },
    yes,
  ],
  [
    'a GitHub label in other letter case after a deployment with the current configuration',
    {
      tags: ['LINUX', 'gpu'],
      shard: purple,
      record: done(settingsDigest({ ...settings, github: gitHub })),
      isGitHub: true,
    },
    yes,
  ],
  [
    'a GitLab tag in other letter case on a candidate',
    { tags: ['Linux'], shard: purple, record: recordAt() },
    no,
  ],
  [
    'former tags after a deployment with another configuration',
    { tags: ['old'], shard: purple, record: done('0123456789abcdef') },
    yes,
  ],
  [
    'former tags of the shard that a deployment with the current configuration retired',
    { tags: ['old'], shard: pink, record: done(settingsDigest(settings)) },
    yes,
  ],
  [
    'the tag of a canary alone',
    { tags: ['canary-1-99-linux'], shard: pink, record: recordAt({}, inProduction) },
    no,
  ],
])(
  'the tags decide which jobs a shard takes: %s',
  (_, { tags, shard, record, runUntagged = false, isGitHub = false }, expected) => {
    const of = { shard, settings: isGitHub ? { ...settings, github: gitHub } : settings, record };
    const registration = { tags, runUntagged };
    expect({
      takes: takesCustomerJobs(registration, of),
      acceptsJobs: hasProductionTags(registration, of),
    }).toEqual(expected);
  },
);

test.each([
  ['canary-1-200-linux', true],
  ['canary-1-200-linux-0123456789ab', true],
  ['canary-1-200-arm', false],
  ['canary', false],
  ['linux', false],
])('%s is a canary tag of this stack: %s', (tag, expected) => {
  expect(isCanaryTag(tag, settings)).toBe(expected);
});

test('a tag that is configured for customers is never a canary tag', () => {
  const registration = { ...settings.registration, tags: ['canary-of-linux'] };
  expect(isCanaryTag('canary-of-linux', { ...settings, registration })).toBe(false);
});
