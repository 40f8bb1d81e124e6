import { type Mutant, mutantsOf } from '../mutant.ts';

/** What the network says, taken for more than it says, and secrets that get out. */
export const transport: readonly Mutant[] = [
  ...mutantsOf('src/transport/repetition.ts', [
    {
      id: 'a write is sent again after a server’s error',
      find: 'isThrottled(outcome.answer) || (repeatable && outcome.answer.status >= 500)',
      replace: 'isThrottled(outcome.answer) || outcome.answer.status >= 500',
      tests: ['test/transport/transport.test.ts'],
    },
    {
      id: 'a write that timed out is sent again',
      find: "    case 'timeout':\n      return repeatable;",
      replace: "    case 'timeout':\n      return repeatable || outcome.kind === 'timeout';",
      tests: ['test/transport/transport.test.ts'],
    },
    {
      id: 'a wait that was told is cut short',
      find: 'waitMs === undefined ? undefined : waitMs + Math.floor(fraction * 1000)',
      replace: 'waitMs === undefined ? undefined : Math.min(waitMs, 1000)',
      tests: ['test/transport/waiting.test.ts'],
    },
  ]),
  ...mutantsOf('src/transport/outcome-failure.ts', [
    {
      id: 'a redirect is an answer',
      find: '  if (status < 300 || status >= 400) return undefined;',
      replace: '  if (status < 500) return undefined;',
      tests: ['test/transport/transport.test.ts'],
    },
    {
      id: 'a write without an answer changed nothing',
      find: "isRepeatable(request) || harmless ? 'none' : 'unknown'",
      replace: "isRepeatable(request) || !harmless ? 'none' : 'unknown'",
      tests: ['test/transport/transport.test.ts'],
    },
    {
      id: 'the path of a redirect is told, and with it what it carries',
      find: '  return new URL(location, base).origin;',
      replace: '  return new URL(location, base).href;',
      tests: ['test/transport/transport.test.ts'],
    },
  ]),
];
