import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { isRetirement, stageNames } from '../../src/domain/deployment/stages-and-steps.ts';
import { read } from '../structure/tree.ts';
import { type GitHubLanguage, loadGitHubLanguage } from './github-language.ts';
import { type Facts, inOrder, type Job, playWorkflow, type Result } from './run-model.ts';

const workflow = parse(read('.github/workflows/hosted-runner-deploy.yml'));
const jobs: Record<string, Job> = workflow.jobs;
const names = inOrder(jobs);
type End = 'success' | 'failure' | 'cancelled';

let language: GitHubLanguage;
beforeAll(async () => {
  language = await loadGitHubLanguage();
});

/** Plays every result of every job that runs, with and without a cancel of the run, each once. */
function* everything(): Generator<Play> {
  for (const [approval, bake] of [
    ['', false],
    ['', true],
    ['production', false],
  ] as const) {
    for (const forgivenResult of ['success', 'failure'] as const) {
      for (const cancelledIn of [undefined, ...names]) {
        const inputs = { approval_environment: approval, bake };
        yield* everyResult({ inputs, forgivenResult, cancelledIn });
      }
    }
  }
}

function* everyResult(facts: Omit<Facts, 'outcome'>): Generator<Play> {
  const waiting: End[][] = [[]];
  for (let prefix = waiting.pop(); prefix !== undefined; prefix = waiting.pop()) {
    const chosen = prefix;
    const ends: End[] = [];
    const outcome = () => {
      const end = chosen[ends.length] ?? 'success';
      ends.push(end);
      return end;
    };
    yield play({ ...facts, outcome });
    for (let index = chosen.length; index < ends.length; index += 1) {
      waiting.push([...ends.slice(0, index), 'failure'], [...ends.slice(0, index), 'cancelled']);
    }
  }
}

interface Play {
  readonly facts: Facts;
  readonly of: (stage: string) => Result;
  readonly text: string;
}

function play(facts: Facts): Play {
  const results = playWorkflow(language, jobs, facts);
  return {
    facts,
    of: (stage) => results[`hosted_runner_${stage}`] ?? 'skipped',
    text: JSON.stringify({ ...facts, results }),
  };
}

/** Decides whether the status was switched: by provision, or by promote after an approval. */
function isSwitched({ facts, of }: Play): boolean {
  return of(facts.inputs['approval_environment'] === '' ? 'provision' : 'promote') === 'success';
}

describe('the conditions of the reusable workflow, for every combination of results', () => {
  let plays: Play[];
  beforeAll(() => {
    plays = [...everything()];
  });

  const offenders = (isWrong: (one: Play) => boolean) =>
    plays
      .filter(isWrong)
      .slice(0, 3)
      .map(({ text }) => text);

  test('finalize runs exactly if the status was switched, whatever the other results', () => {
    expect(offenders((one) => (one.of('finalize') !== 'skipped') !== isSwitched(one))).toEqual([]);
    expect(plays.filter(isSwitched).length).toBeGreaterThan(100);
  });

  test('no stage retires a shard before the status was switched', () => {
    const retires = ({ of }: Play) =>
      stageNames.some((stage) => isRetirement(stage) && of(stage) !== 'skipped');
    expect(offenders((one) => retires(one) && !isSwitched(one))).toEqual([]);
  });

  test('shutdown runs whenever the status was switched without a cancellation', () => {
    const runs = ({ of }: Play) => of('shutdown') !== 'skipped';
    const isQuiet = ({ facts }: Play) => facts.cancelledIn === undefined;
    expect(offenders((one) => isQuiet(one) && isSwitched(one) && !runs(one))).toEqual([]);
  });

  test('a bake exists only on request, and retires nothing before the switch', () => {
    const isThere = ({ of }: Play) => of('bake') !== 'skipped';
    const canPrompt = ({ facts }: Play) => facts.inputs['bake'] === true;
    expect(offenders((one) => isThere(one) && !(canPrompt(one) && isSwitched(one)))).toEqual([]);
    expect(plays.filter(isThere).length).toBeGreaterThan(100);
  });

  test('promote waits for an approval, and exists only with one', () => {
    expect(
      offenders(
        ({ facts, of }) =>
          facts.inputs['approval_environment'] === '' && of('promote') !== 'skipped',
      ),
    ).toEqual([]);
    expect(
      offenders(({ of }) => of('promote') !== 'skipped' && of('provision') !== 'success'),
    ).toEqual([]);
  });

  test('a stage before the switch runs only after the previous one succeeded', () => {
    for (const [one, other] of [
      ['prepare', 'onboard'],
      ['onboard', 'provision'],
    ] as const) {
      expect(offenders(({ of }) => of(other) !== 'skipped' && of(one) !== 'success')).toEqual([]);
    }
  });
});

describe('the jobs of the reusable workflow', () => {
  test('use the names of the jobs on GitLab, without the canary', () => {
    expect(Object.keys(jobs)).toEqual(stageNames.map((stage) => `hosted_runner_${stage}`));
  });

  test('differ only by their stage', () => {
    const steps = Object.entries(jobs).map(([id, job]) => {
      const stage = id.replace('hosted_runner_', '');
      const text = JSON.stringify((job as { steps?: unknown }).steps);
      return text.replace(`"stage":"${stage}"`, '"stage":"…"').replace(/,"until":"[^"]*"/, '');
    });
    expect(new Set(steps).size).toBe(1);
  });

  test('accept the secrets of either kind of runners, and require none', () => {
    const declared = workflow.on.workflow_call.secrets as Record<string, { required: boolean }>;
    expect(Object.values(declared).map(({ required }) => required)).toEqual(Array(4).fill(false));
    const { steps } = jobs['hosted_runner_prepare'] as { steps: { id?: string; env?: object }[] };
    expect(steps.find(({ id }) => id === 'stage')?.env).toEqual({
      HOSTED_RUNNER_GITLAB_TOKEN: `\${{ secrets.gitlab_token }}`,
      HOSTED_RUNNER_GITHUB_TOKEN: `\${{ secrets.runners_token }}`,
      HOSTED_RUNNER_GITHUB_PRIVATE_KEY: `\${{ secrets.runners_private_key }}`,
    });
    expect(Object.keys(declared).map((name) => `secrets.${name}`)).toEqual([
      'secrets.gitlab_token',
      'secrets.runners_token',
      'secrets.runners_private_key',
      'secrets.action_token',
    ]);
  });

  test('wait in the queue of their stack, which cancels none', () => {
    expect(workflow.concurrency).toEqual({
      group: `hosted-runner/\${{ inputs.runner_name }}`,
      'cancel-in-progress': false,
    });
  });

  test('leave the environment to the job that switches after an approval', () => {
    const withEnvironment = Object.entries(jobs).filter(([, job]) => 'environment' in job);
    expect(withEnvironment.map(([id]) => id)).toEqual(['hosted_runner_promote']);
  });
});
