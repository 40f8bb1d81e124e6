import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../../src/adapters/gitlab/gitlab-terms.ts';
import { diagnose, formatDiagnosis } from '../../../src/domain/health/diagnose.ts';
import { type DiagnosisFacts, diagnosisCodes } from '../../../src/domain/health/diagnosis.ts';
import { diagnoses, nextOf } from '../../../src/domain/health/diagnosis-catalogue.ts';
import { lineOf } from '../../../src/errors/fix-line.ts';

const names = { runner: 'linux', shard: 'pink', words: gitlabTerms };
const codes = (facts: Partial<DiagnosisFacts>) =>
  diagnose({ missing: [], ...facts }, names).map(({ code }) => code);
const logs = (...log: string[]) => ({ reports: [{ id: 'i-0abc', process: 'running', log }] });

describe('a diagnosis', () => {
  test('reports nothing without evidence', () => {
    expect(codes({})).toEqual([]);
    expect(
      codes({ ...logs('Starting multi-runner', ''), hosts: [], instances: undefined as never }),
    ).toEqual([]);
  });

  test.each<[string, string[]]>([
    ['ERROR: Checking for jobs... forbidden', ['token_refused']],
    [
      'ERROR: Runner "https://gitlab.example.com/abc" is unhealthy and will be disabled for 1h0m0s seconds!',
      ['token_refused'],
    ],
    ['x509: certificate signed by unknown authority', ['certificate_untrusted']],
    [
      'tls: failed to verify certificate: x509: certificate has expired or is not yet valid',
      ['certificate_untrusted', 'clock_off'],
    ],
    ['dial tcp: lookup gitlab.example.com: no such host', ['registry_unreachable']],
    ['ERROR: Preparation failed: Cannot connect to the Docker daemon', ['executor_broken']],
    ['An error occurred (ParameterNotFound) when calling GetParameter', ['token_absent']],
    ['Checking for jobs... received  job=1', []],
    ['the word certificate alone says nothing', []],
  ])('diagnoses the log line %j', (line, expected) => {
    expect(codes(logs(line))).toEqual(expected);
  });

  test.each<[string, Partial<DiagnosisFacts>, string[]]>([
    ['a stopped instance', { instances: [{ id: 'i-1', state: 'stopped' }] }, ['instance_stopped']],
    ['no instance', { instances: [] }, ['instance_absent']],
    [
      'only terminated instances',
      { instances: [{ id: 'i-1', state: 'terminated' }] },
      ['instance_absent'],
    ],
    ['an unknown state', { instances: [{ id: 'i-1', state: 'unknown' }] }, []],
    [
      'an instance that never contacted Systems Manager',
      { missing: ['instance'], hosts: [], instances: [{ id: 'i-1', state: 'running' }] },
      ['instance_never_booted'],
    ],
    [
      'a clock an hour behind',
      { reports: [{ id: 'i-1', process: 'running', log: [], clockOffMs: -3_600_000 }] },
      ['clock_off'],
    ],
    [
      'a clock half a minute ahead',
      { reports: [{ id: 'i-1', process: 'running', log: [], clockOffMs: 30_000 }] },
      [],
    ],
    [
      'expected tags',
      { registration: { id: '1', state: 'present', tags: ['a', 'b'], expectedTags: ['b'] } },
      [],
    ],
    [
      'a missing tag',
      { registration: { id: '1', state: 'present', tags: ['a'], expectedTags: ['b'] } },
      ['no_matching_tags'],
    ],
  ])('diagnoses %s', (_, facts, expected) => {
    expect(codes(facts)).toEqual(expected);
  });

  test('takes one line, with the next command for this stack', () => {
    const [found] = diagnose({ missing: [], ...logs('Checking for jobs... forbidden') }, names);
    expect(found === undefined ? undefined : formatDiagnosis(found)).toBe(
      `GitLab refuses the runner's token; a longer wait may help: a runner cannot distinguish GitLab's maintenance mode (temporary) from an invalid token (permanent); after three refusals, a runner stops polling for an hour (unhealthy_interval), or until it loads its configuration again. Observed: "Checking for jobs... forbidden"`,
    );
    const next = found === undefined ? [] : nextOf(diagnoses[found.code], 'linux');
    expect(next.map((line) => lineOf(line, undefined))).toEqual([
      'Rebuild the candidate: hosted-runner recover --runner linux --method auto --yes',
    ]);
  });

  test('corresponds to exactly one entry of the catalogue for each code', () => {
    expect(Object.keys(diagnoses).sort()).toEqual([...diagnosisCodes].sort());
  });
});
