import { describe, expect, test } from '@jest/globals';
import { createRandom } from './chance.ts';
import { Contest, type Trouble } from './contenders.ts';

const all: readonly Trouble[] = ['stale', 'death', 'lost', 'late', 'twice'];

/** Plays every schedule that departs from the undisturbed one at most `most` times. */
async function everySchedule(
  most: number,
  play: (choose: (options: number) => number) => Promise<readonly string[]>,
): Promise<{ count: number; violations: readonly string[] }> {
  const open: (readonly number[])[] = [[]];
  const violations: string[] = [];
  let count = 0;
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    const taken: number[] = [];
    const ways: number[] = [];
    const found = await play((options) => {
      const chosen = prefix?.[taken.length] ?? 0;
      taken.push(chosen);
      ways.push(options);
      return chosen;
    });
    count += 1;
    violations.push(...found.map((text) => `${taken.join(' ')}: ${text}`));
    const departures = prefix.filter((chosen) => chosen > 0).length;
    if (departures >= most) continue;
    for (let index = prefix.length; index < ways.length; index += 1)
      for (let way = 1; way < (ways[index] ?? 0); way += 1)
        open.push([...taken.slice(0, index), way]);
  }
  return { count, violations: [...new Set(violations)].slice(0, 5) };
}

async function violationsOf(contest: Contest): Promise<readonly string[]> {
  await contest.play();
  return contest.violations;
}

describe('contests for the lock', () => {
  test('let no contender work beside the owner, with two contenders and faults in two calls', async () => {
    const { count, violations } = await everySchedule(2, (choose) =>
      violationsOf(new Contest({ choose, contenders: 2, troubles: all })),
    );
    expect(violations).toEqual([]);
    expect(count).toBeGreaterThan(500);
  });

  test('let no contender work beside the owner, with two contenders in every order up to four changes', async () => {
    const { count, violations } = await everySchedule(4, (choose) =>
      violationsOf(new Contest({ choose, contenders: 2, troubles: [] })),
    );
    expect(violations).toEqual([]);
    expect(count).toBeGreaterThan(200);
  });

  test.each([
    ['two', 2, 800],
    ['three', 3, 800],
  ] as const)(
    'let no contender work beside the owner, with %s contenders in random order',
    async (_, contenders, schedules) => {
      const violations: string[] = [];
      for (let seed = 1; seed <= schedules; seed += 1) {
        const random = createRandom(seed);
        const choose = (options: number) => (random() < 0.7 ? 0 : Math.floor(random() * options));
        const found = await violationsOf(new Contest({ choose, contenders, troubles: all }));
        violations.push(...found.map((text) => `${seed}: ${text}`));
      }
      expect(violations.slice(0, 5)).toEqual([]);
    },
  );
});

describe('a lock log with a hundred kept versions', () => {
  const undisturbed = { choose: () => 0, contenders: 0, troubles: [] };

  async function afterMany(): Promise<Contest> {
    const contest = new Contest(undisturbed);
    for (let count = 1; count <= 55; count += 1) {
      contest.begin(`c${count}`, { byHand: false });
      await contest.run({ undisturbed: true });
    }
    return contest;
  }

  test('cannot be taken while the oldest version has a label', async () => {
    const contest = await afterMany();
    contest.parameter.isLabelled = true;
    const refused = contest.begin('refused', { byHand: false });
    await contest.run({ undisturbed: true });
    expect(refused.ended).toBe('refused');
    contest.parameter.isLabelled = false;
    await contest.afterwards();
    expect(contest.violations).toEqual([]);
  });

  test('begins again if its name was deleted', async () => {
    const contest = await afterMany();
    contest.parameter.remove();
    await contest.afterwards();
    expect(contest.violations).toEqual([]);
    expect(contest.parameter.versions.length).toBe(2);
  });
});
