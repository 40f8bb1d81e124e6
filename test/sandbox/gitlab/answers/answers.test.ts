import { describe, expect, test } from '@jest/globals';
import {
  GITLAB_VERSIONS,
  type GitLabVersion,
} from '../../../../sandbox/gitlab/answers/versions.ts';
import {
  calls,
  type Endpoint,
  endpointsOf,
  isAssumed,
  type KnownAnswer,
  versions,
} from '../../../gitlab/answers/known-answers.ts';
import { sampleOf } from '../../../support/sample.ts';
import { differencesOfAnswer, differencesOfRefusal, pathsOf } from './comparison.ts';
import { bringing } from './conditions.ts';
import { cannotBe, differingFields, notSimulated } from './not-simulated.ts';
import { type QuestionFactory, questions, variants } from './questions.ts';
import { createScene, type Scene } from './scene.ts';

for (const version of GITLAB_VERSIONS) {
  for (const endpoint of sampleOf(endpointsOf(version), ({ call }) => `${version} ${call}`)) {
    describe(`the sandbox as GitLab ${version}: ${endpoint.call}`, () => {
      holdGood(version, endpoint);
      holdRefusals(version, endpoint);
    });
  }
}

function holdGood(version: GitLabVersion, { call, success, variants: more }: Endpoint): void {
  const good: [string, KnownAnswer | undefined, QuestionFactory | undefined][] = [
    ['success', success, questions[call]],
    ...Object.entries(more).map(
      ([name, known]): [string, KnownAnswer, QuestionFactory | undefined] => [
        name,
        known,
        variants[`${call}: ${name}`],
      ],
    ),
  ];
  for (const [name, known, createQuestion] of good) {
    if (known === undefined) continue;
    test(`${name} returns ${known.status}`, () =>
      inScene(version, name, async (scene) => {
        if (createQuestion === undefined) throw new Error(`nobody asks for it: ${call}: ${name}`);
        const received = await scene.send(await createQuestion(scene));
        const excepted = Object.keys(differingFields[call] ?? {});
        const foreign = foreignTo(version, call);
        expect(differencesOfAnswer(known, received, { foreign, excepted })).toEqual([]);
      }));
  }
}

function holdRefusals(version: GitLabVersion, { call, conditions }: Endpoint): void {
  for (const known of conditions) {
    const name = `${call}: ${known.condition}`;
    if (name in notSimulated || name in cannotBe) continue;
    const assumed = isAssumed(known) ? ' (an assumption)' : '';
    test(`${known.condition}: ${known.status}${assumed}`, () =>
      inScene(version, known.condition, async (scene) => {
        const question = await bringing(call, known.condition)?.(scene, call);
        if (question === undefined) throw new Error(`nobody brings it about: ${name}`);
        expect(differencesOfRefusal(known, await scene.send(question))).toEqual([]);
      }));
  }
}

async function inScene(
  version: GitLabVersion,
  name: string,
  play: (scene: Scene) => Promise<void>,
): Promise<void> {
  const scene = createScene(version, name === 'rate limit' ? { rateLimits: 'gitlab.com' } : {});
  try {
    await play(scene);
  } finally {
    scene.close();
  }
}

/** Lists fields of the endpoint that exist in other versions only. */
function foreignTo(version: string, call: string): string[] {
  const fieldsOf = (one: string) => {
    const endpoint = endpointsOf(one).find((row) => row.call === call);
    const answers = [endpoint?.success, ...Object.values(endpoint?.variants ?? {})];
    return answers.flatMap((answer) => pathsOf(answer?.body));
  };
  const own = fieldsOf(version);
  return versions.flatMap(fieldsOf).filter((path) => !own.includes(path));
}

const conditionNames = GITLAB_VERSIONS.flatMap((version) =>
  endpointsOf(version).flatMap(({ call, conditions }) =>
    conditions.map(({ condition }) => `${call}: ${condition}`),
  ),
);

function countsOf(version: string): string {
  const endpoints = endpointsOf(version);
  const answers = endpoints.flatMap(({ success, variants: more }) => [
    ...(success === undefined ? [] : [success]),
    ...Object.values(more),
  ]);
  const all = endpoints.flatMap(({ call, conditions }) =>
    conditions.map((one) => ({ name: `${call}: ${one.condition}`, isAssumed: isAssumed(one) })),
  );
  const held = all.filter(({ name }) => !(name in notSimulated) && !(name in cannotBe));
  const assumed = held.filter((one) => one.isAssumed).length;
  return `GitLab ${version}: ${calls.length} endpoints, ${answers.length} answers, ${held.length} refusals (${assumed} assumed)`;
}

describe('The sandbox against the recorded GitLab responses', () => {
  const counts = [
    'GitLab 17.5: 35 endpoints, 42 answers, 372 refusals (80 assumed)',
    'GitLab 17.11: 35 endpoints, 42 answers, 373 refusals (80 assumed)',
    'GitLab 18.0: 35 endpoints, 42 answers, 374 refusals (80 assumed)',
    'GitLab 18.7: 35 endpoints, 43 answers, 381 refusals (80 assumed)',
    'GitLab 18.9: 35 endpoints, 44 answers, 392 refusals (83 assumed)',
    'GitLab 19.1: 35 endpoints, 44 answers, 395 refusals (83 assumed)',
    'GitLab 19.3: 35 endpoints, 44 answers, 415 refusals (83 assumed)',
  ];

  // The run prints these names at its end.
  test.each(counts)('%s', () => {
    expect(GITLAB_VERSIONS.map(countsOf)).toEqual(counts);
  });

  test.each(Object.entries(notSimulated))('leaves unsimulated: %s, because %s', (name) => {
    expect(conditionNames).toContain(name);
  });
});

describe('the recorded responses', () => {
  test('contain every condition that is listed as not simulated or impossible', () => {
    const excused = [...Object.keys(notSimulated), ...Object.keys(cannotBe)];
    expect(excused.filter((name) => !conditionNames.includes(name))).toEqual([]);
    expect(Object.keys(notSimulated)).toHaveLength(1);
  });
});
