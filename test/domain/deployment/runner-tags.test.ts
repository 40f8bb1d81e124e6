import { expect, test } from '@jest/globals';
import {
  isCanaryTag,
  servesByItsTags,
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
  { takes: boolean; serves: boolean },
];

const done = (digest: string) =>
  recordAt({ phase: 'done', fingerprint: { settings: digest } }, inProduction);
const yes = { takes: true, serves: true };
const no = { takes: false, serves: false };

test.each<Case>([
  ['tags of today', { tags: ['linux'], shard: purple, record: recordAt() }, yes],
  [
    'tags of its day, once in production',
    { tags: ['old'], shard: pink, record: recordAt({}, inProduction) },
    yes,
  ],
  [
    'tags of its day, where there is no record',
    { tags: ['old'], shard: pink, record: undefined },
    yes,
  ],
  ['what a person gave a candidate', { tags: ['special'], shard: purple, record: recordAt() }, no],
  [
    'tags that are not of today, of a shard that is being deployed',
    { tags: ['old'], shard: purple, record: recordAt({ phase: 'drained' }, inProduction) },
    { takes: true, serves: false },
  ],
  [
    'the same, once it is done',
    { tags: ['old'], shard: purple, record: recordAt({ phase: 'done' }, inProduction) },
    yes,
  ],
  [
    'what a person gave it, once it is done with what is configured today',
    { tags: ['special'], shard: purple, record: done(settingsDigest(settings)) },
    { takes: true, serves: false },
  ],
  [
    'what a person added to it, once it is done with what is configured today',
    { tags: ['linux', 'special'], shard: purple, record: done(settingsDigest(settings)) },
    yes,
  ],
  [
    'untagged jobs, once it is done with what is configured today',
    { tags: [], runUntagged: true, shard: purple, record: done(settingsDigest(settings)) },
    yes,
  ],
  [
    'untagged jobs, of a shard that is being deployed',
    {
      tags: ['canary-1-200-linux'],
      runUntagged: true,
      shard: purple,
      record: recordAt({}, inProduction),
    },
    yes,
  ],
  [
    'a label in other letters, which GitHub does not tell apart, on a candidate',
    { tags: ['Linux'], shard: purple, record: recordAt(), isGitHub: true },
    yes,
  ],
  [
    'a label in other letters on GitHub, once it is done with what is configured today',
    {
      tags: ['LINUX', 'gpu'],
      shard: purple,
      record: done(settingsDigest({ ...settings, github: gitHub })),
      isGitHub: true,
    },
    yes,
  ],
  [
    'a tag in other letters, which GitLab tells apart, on a candidate',
    { tags: ['Linux'], shard: purple, record: recordAt() },
    no,
  ],
  [
    'tags of its day, once it is done with another configuration',
    { tags: ['old'], shard: purple, record: done('0123456789abcdef') },
    yes,
  ],
  [
    'tags of its day, of the shard that was retired with what is configured today',
    { tags: ['old'], shard: pink, record: done(settingsDigest(settings)) },
    yes,
  ],
  [
    'a canary’s tag alone',
    { tags: ['canary-1-99-linux'], shard: pink, record: recordAt({}, inProduction) },
    no,
  ],
])('%s', (_, { tags, shard, record, runUntagged = false, isGitHub = false }, expected) => {
  const of = { shard, settings: isGitHub ? { ...settings, github: gitHub } : settings, record };
  const registration = { tags, runUntagged };
  expect({
    takes: takesCustomerJobs(registration, of),
    serves: servesByItsTags(registration, of),
  }).toEqual(expected);
});

test.each([
  ['canary-1-200-linux', true],
  ['canary-1-200-linux-0123456789ab', true],
  ['canary-1-200-arm', false],
  ['canary', false],
  ['linux', false],
])('%s is a canary’s tag of this stack: %s', (tag, expected) => {
  expect(isCanaryTag(tag, settings)).toBe(expected);
});

test('a tag that is configured for customers is never a canary’s', () => {
  const registration = { ...settings.registration, tags: ['canary-of-linux'] };
  expect(isCanaryTag('canary-of-linux', { ...settings, registration })).toBe(false);
});
