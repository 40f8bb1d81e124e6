import { describe, expect, test } from '@jest/globals';
import { gitlabTerms } from '../../src/adapters/gitlab/gitlab-terms.ts';
import { findingEntries } from '../../src/domain/doctor/catalogue.ts';
import { inTerms } from '../../src/domain/registry-terms.ts';
import { type } from '../cli/commanding.ts';
import { type as typeIn } from '../operator/doctor/examine.ts';
import { failed } from '../operator/recover/failed-candidate.ts';
import { asTyped } from '../support/typing.ts';
import { catalogue } from './catalogue.ts';
import { commandsIn } from './commands-in.ts';

const named = { shard: 'pink', id: 'i-0abc0000000000001' };
const ofErrors = catalogue.flatMap(({ code, fields }) =>
  commandsIn(fields.fix ?? []).map((command) => [code, command] as const),
);
const ofDoctor = Object.entries(findingEntries).flatMap(([code, { commands }]) =>
  commandsIn(asTyped(commands.map((one) => ({ ...one, runner: 'linux' })))).map(
    (command) => [code, inTerms(command, gitlabTerms, named)] as const,
  ),
);
const printed = [...new Map([...ofErrors, ...ofDoctor].map((one) => [one[1], one])).values()];

/** Values that only the operator knows. */
const toFillIn: Readonly<Record<string, string>> = {
  'hosted-runner init --config FILE': 'a file that is theirs',
  'hosted-runner deploy --runner linux --again REASON': 'a reason that is theirs',
  'hosted-runner sandbox --folder FOLDER': 'a folder that is theirs',
};

test('most events have a printed command', () => {
  expect(printed.length).toBeGreaterThan(30);
});

test.each(printed)('%s: %s is a valid command', async (_, command) => {
  const answer = await type(command.split(' ').slice(1));
  expect({ exit: answer.exit, stderr: answer.stderr }).toEqual({ exit: 0, stderr: '' });
  const placeholders = command.split(' ').filter((word) => /^[A-Z…]+$/.test(word));
  expect(placeholders.length > 0 ? command in toFillIn : true).toBe(true);
});

test('a destructive command contains --yes for a caller without a terminal', () => {
  const takes = printed
    .map(([, command]) => command)
    .filter((one) => / recover | --fix /.test(one));
  expect(takes.length).toBeGreaterThan(8);
  expect(takes.filter((command) => !command.includes(' --yes'))).toEqual([]);
});

describe('the command that HealthcheckTimedOut or CanaryFailed prints', () => {
  // The first number counts earlier unhealthy verdicts. The drivers offer different recovery
  // methods.
  test.each([
    [0, 'fails_jobs', 'command'],
    [1, 'fails_jobs', 'command'],
    [0, 'fails_jobs', 'terraform'],
    [1, 'fails_jobs', 'terraform'],
    [0, 'never_contacts', 'command'],
    [1, 'never_contacts', 'command'],
  ] as const)(
    'work in the same situation, after %i times, %s, with %s',
    async (times, boot, driver) => {
      const build = async () => {
        const world = await failed(times, boot, driver);
        const ending = await typeIn(world, 'hosted-runner provision --runner linux');
        if (ending.kind !== 'error') throw new Error(`provision was ${ending.kind}`);
        return { world, error: ending.error };
      };
      const { error } = await build();
      expect(error.code).toBe(boot === 'fails_jobs' ? 'CanaryFailed' : 'HealthcheckTimedOut');
      const commands = commandsIn(error.fields.fix ?? []);
      expect(commands.length).toBeGreaterThan(0);
      for (const command of commands) {
        const { world } = await build();
        const ending = await typeIn(world, command);
        // The world decides whether the command helps, but a refusal would be the program's error.
        const code = ending.kind === 'error' ? ending.error.code : ending.kind;
        expect({
          command,
          code,
          isTaken: ['done', 'CanaryFailed', 'HealthcheckTimedOut'].includes(code),
        }).toEqual({
          command,
          code,
          isTaken: true,
        });
      }
    },
  );
});
