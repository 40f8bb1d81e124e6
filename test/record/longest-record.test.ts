import { describe, expect, test } from '@jest/globals';
import type {
  Deployment,
  DeploymentRecord,
  ShardEntry,
} from '../../src/domain/deployment/record.ts';
import { isBefore, type Phase } from '../../src/domain/deployment/stages-and-steps.ts';
import { beginDrainTally, withBroken, withJobs } from '../../src/domain/deployment/tally.ts';
import { withRolledBack } from '../../src/domain/fingerprint/rollback-notes.ts';
import type { DeploymentId, RegistrationId } from '../../src/domain/shard.ts';
import { truncateReason } from '../../src/domain/text/truncate-reason.ts';
import { formatRecord, parseRecord } from '../../src/stages/record/record-format.ts';
import { recordAt } from '../domain/samples.ts';
import { sampleOf } from '../support/sample.ts';

const at = '2026-11-02T08:15:00.000+02:00';
const digest = 'f'.repeat(16);
const id = `${'o'.repeat(39)}/${'r'.repeat(100)}-12345678901` as DeploymentId;
const made = { settings: digest, plan: digest, images: digest, commit: digest };

/** Texts of operators or other systems, with their length. */
interface Texts {
  readonly letter: string;
  readonly letters: number;
  readonly managers: number;
}

function entry({ letter, managers }: Texts, isGitHubs: boolean): ShardEntry {
  const numbers = Array.from({ length: managers }, (_, index) => 1_000_000_000 + index);
  const tags = tagsOf(letter, 508);
  return {
    registration: (isGitHubs ? `purple-${'l'.repeat(60)}` : '1234567890') as RegistrationId,
    tokenWritten: true,
    tokenEndsAt: at,
    contacted: true,
    highestWorkerBeforeApply: 1_000_000_000,
    canaryAtApply: { id: '123456789012', started: true },
    unhealthyInARow: 100,
    lastApply: {
      at,
      added: 1000,
      changed: 1000,
      destroyed: 1000,
      updates: '00112233',
      repeated: `${'a'.repeat(100)} and 99 more`,
    },
    productionTag: true,
    evidence: { at, workers: numbers, canary: '123456789012' },
    ...(isGitHubs
      ? {
          removal: { began: at, ended: at },
          intake: { state: 'pausing', by: 'unknown', since: at },
        }
      : { routingBefore: { tags, runUntagged: true, paused: false, isRestoring: true } }),
  };
}

/** Returns the maximum of tags that the record keeps of a runner. */
function tagsOf(letter: string, bytes: number): string[] {
  const tags: string[] = [];
  for (;;) {
    const more = [...tags, letter.repeat(12)];
    if (Buffer.byteLength(JSON.stringify(more)) > bytes) return tags;
    tags.push(letter.repeat(12));
  }
}

function longest(texts: Texts, isGitHubs: boolean, phase: Phase): DeploymentRecord {
  const text = texts.letter.repeat(texts.letters);
  const limit = { ms: 604_800_000, from: text, by: text, job: '12345678901' };
  const ids = Array.from({ length: 60 }, (_, index) => `${12_345_678_900 + index}`);
  const jobs = ids.map((one) => ({
    id: one,
    url: `https://gitlab.example.com/${'u'.repeat(120)}`,
  }));
  const drain = {
    ...withBroken(withJobs(beginDrainTally(at), ids), jobs, 'runner_failed' as const),
    longestWaitMs: 604_800_000,
    expectedAt: at,
    timeout: limit,
    forceAfter: limit,
  };
  const why = truncateReason(text);
  const intake = { state: 'accepting', by: 'deployment', since: at } as const;
  const record = recordAt(
    {
      id,
      kind: 'rollback',
      by: text,
      pipelineUrl: `https://gitlab.example.com/${'g'.repeat(texts.letters)}`,
      phase,
      phaseAt: at,
      startedAt: at,
      statusVersion: 1_000_000,
      tally: { twoShardsSince: at, twoShardsMs: 604_800_000, drain },
      autoRollback: { id, at, why },
      fingerprint: made,
      ...(isBefore(phase, 'promoted') ? {} : sincePromoted(why)),
    },
    { pink: { ...entry(texts, isGitHubs), intake }, purple: entry(texts, isGitHubs) },
  );
  const line = { id, kind: 'rollback', candidate: 'purple', finishedAt: at } as const;
  const full = {
    ...record,
    history: Array.from({ length: 20 }, () => ({
      ...line,
      cost: 'jobs=3',
      isRolledBack: true as const,
    })),
    writesRefusedAt: at,
  };
  let noted: DeploymentRecord = full;
  for (const settings of ['1', '2', '3']) {
    const deployment = { ...noted.deployment, fingerprint: { ...made, settings } };
    noted = withRolledBack({ ...noted, deployment }, { at, why: text });
  }
  return noted;
}

/** Returns the fields that a deployment has only after its switch. */
function sincePromoted(why: string): Partial<Deployment> {
  const ended = { verdict: 'inconclusive', at, why } as const;
  return {
    stoppingAt: at,
    reopened: { times: 10, at, why },
    bake: { since: at, forMs: 604_800_000, until: at, ended },
  };
}

const phases = ['promoting', 'retreating', 'draining'] as const;
const sizes = [0, 40, 200, 1000];
const letters = ['a', '壊', '😀', '"', '\u0001'];

describe('the longest record', () => {
  const rows = letters.flatMap((letter) => phases.map((phase) => [letter, phase] as const));

  test.each(sampleOf(rows, (row) => row.join(' ')))(
    'fits into 4096 bytes with %j at %s, however long each text is',
    (letter, phase) => {
      for (const size of sizes)
        for (const managers of [1, 100])
          for (const isGitHubs of [true, false]) {
            const record = longest({ letter, letters: size, managers }, isGitHubs, phase);
            const text = formatRecord(record, '12345678-1234-1234-1234-123456789012');
            const tooMany = Math.max(0, Buffer.byteLength(text) - 4096);
            expect({ size, managers, isGitHubs, tooMany }).toMatchObject({ tooMany: 0 });
            const parsed = parseRecord(text);
            if (parsed.kind !== 'record') throw new Error(JSON.stringify(parsed));
            expectKept(parsed.record, record);
          }
    },
  );
});

/**
 * Expects that a shortened record keeps everything that decisions need. Texts may be cut, but not
 * their counts.
 */
function expectKept(kept: DeploymentRecord, { deployment, shards }: DeploymentRecord): void {
  const { id: itsId, candidate, phase, reopened, autoRollback, bake } = kept.deployment;
  expect([itsId, candidate, phase]).toEqual([
    deployment.id,
    deployment.candidate,
    deployment.phase,
  ]);
  expect([reopened?.times, autoRollback?.id, bake?.ended?.verdict]).toEqual([
    deployment.reopened?.times,
    deployment.autoRollback?.id,
    deployment.bake?.ended?.verdict,
  ]);
  for (const [shard, one] of Object.entries(kept.shards)) {
    const { routingBefore, evidence, lastApply, ...rest } = one;
    const before = shards[shard];
    expect({ ...before, ...rest }).toEqual(before);
    // No plan is compared with the last apply in these phases.
    const { updates: ___, repeated: ____, ...counts } = before?.lastApply ?? {};
    expect(lastApply).toMatchObject(counts);
    const { tags: _, ...flags } = before?.routingBefore ?? {};
    expect(routingBefore ?? {}).toMatchObject(flags);
    const { workers: __, ...proof } = before?.evidence ?? {};
    expect(evidence).toMatchObject(proof);
    if (shard === candidate && isBefore(phase, 'promoted'))
      expect(evidence).toEqual(before?.evidence);
  }
}

describe('a record that is a little too long', () => {
  const record = longest({ letter: '壊', letters: 200, managers: 1 }, false, 'draining');

  test('keeps the settings to restore a runner and drops texts first', () => {
    const parsed = parseRecord(formatRecord(record, 'w1'));
    if (parsed.kind !== 'record') throw new Error('it cannot be read');
    for (const shard of ['pink', 'purple'])
      expect(parsed.record.shards[shard]?.routingBefore).toEqual(
        record.shards[shard]?.routingBefore,
      );
    expect(parsed.record.history).toEqual([]);
    expect(parsed.record.deployment.tally?.drain).toMatchObject({ seen: [], seenBeyond: 60 });
  });

  test('keeps the note of a repeated apply until the promotion of the candidate', () => {
    const early = longest({ letter: '壊', letters: 1000, managers: 1 }, true, 'applied');
    const parsed = parseRecord(formatRecord(early, 'w1'));
    if (parsed.kind !== 'record') throw new Error('it cannot be read');
    const { candidate } = early.deployment;
    expect(parsed.record.shards[candidate]?.lastApply).toMatchObject({
      updates: '00112233',
      repeated: expect.any(String),
    });
  });
});
