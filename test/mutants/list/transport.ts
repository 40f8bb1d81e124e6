import { type Mutant, mutantsOf } from '../mutant.ts';

/** What the network says, taken for more than it says, and secrets that get out. */
export const transport: readonly Mutant[] = [
  ...mutantsOf('src/adapters/transport/silence.ts', [
    {
      id: 'nobody is told who does not answer',
      find: '        () => say(side, { log }),\n',
      replace: '        () => side.length > 99 && say(side, { log }),\n',
      tests: ['test/transport/silence.test.ts'],
    },
    {
      id: 'only one long wait for the rate limit is told',
      find: '      const startedAt = follows ? row.startedAt : now;',
      replace: '      const startedAt = now;',
      tests: ['test/transport/turns.test.ts'],
    },
    {
      id: 'a silence is told after a cancel',
      find: ' || signal?.aborted === true) return;',
      replace: ') return;',
      tests: ['test/transport/silence.test.ts'],
    },
    {
      id: 'who has answered is said to be silent',
      find: '        answered.abort();\n',
      replace: '        if (side.length > 99) answered.abort();\n',
      tests: ['test/transport/silence.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/proxies.ts', [
    {
      id: 'this machine is asked through a proxy',
      find: 'isLoopback(url.hostname) || isSpared(url)',
      replace: 'isSpared(url)',
      tests: ['test/transport/proxy/proxies.test.ts'],
    },
    {
      id: 'a proxy’s password may be shown',
      find: "  if (proxy.username + proxy.password === '') return [];",
      replace: "  if (proxy.password !== '') return [];",
      tests: ['test/transport/proxy/proxies.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/send.ts', [
    {
      id: 'what is asked directly goes by Node’s own agent',
      find: 'kept === undefined ? false : keptAgent(url.protocol, http, kept)',
      replace: 'kept === undefined ? false : undefined',
      tests: ['test/transport/proxy/direct.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/proxied.ts', [
    {
      id: 'what a proxy refused may have been sent',
      find: '    throw proxyRefusal(error) ?? error;',
      replace: '    throw error;',
      tests: ['test/transport/proxy/proxied.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/repetition.ts', [
    {
      id: 'a write is sent again after a server’s error',
      find: 'isThrottled(outcome.answer) || (repeatable && isUnavailable(outcome.answer))',
      replace: 'isThrottled(outcome.answer) || isUnavailable(outcome.answer)',
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
  ...mutantsOf('src/adapters/transport/answers/outcome-failure.ts', [
    {
      id: 'a redirect is an answer',
      find: '  if (status < 300 || status >= 400) return undefined;',
      replace: '  if (status < 500) return undefined;',
      tests: ['test/transport/transport.test.ts'],
    },
    {
      id: 'a write without an answer changed nothing',
      find: "mayChange(request) && !harmless ? 'unknown' : 'none'",
      replace: "mayChange(request) && harmless ? 'unknown' : 'none'",
      tests: ['test/transport/transport.test.ts'],
    },
    {
      id: 'the path of a redirect is told, and with it what it carries',
      find: '  return new URL(location, base).origin;',
      replace: '  return new URL(location, base).href;',
      tests: ['test/transport/transport.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/answers/refusal.ts', [
    {
      id: 'a portal’s page is the API’s own refusal',
      find: "isItsOwn || kinds[status] !== undefined ? kind : 'unexpected'",
      replace: "isItsOwn || body !== '' ? kind : 'unexpected'",
      tests: ['test/gitlab/runners/registry-answers.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/answers/lost-answer.ts', [
    {
      id: 'a write that is not to be seen has happened',
      find: '    if (seen === undefined) throw error;\n    return seen;',
      replace: '    return seen as T;',
      tests: ['test/gitlab/runners/registry-writes.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/answers/read-only.ts', [
    {
      id: 'any 403 is a maintenance mode that passes',
      find: 'words.some((each) => each.test(message))',
      replace: 'words.length > 0',
      tests: ['test/transport/transport.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/words/redaction.ts', [
    {
      id: 'a secret is masked only as it was given',
      find: '[...secrets].flatMap((secret) => encodingsOf(secret))',
      replace: '[...secrets]',
      tests: ['test/transport/words/redaction.test.ts'],
    },
    {
      id: 'a token that nobody told us of is printed',
      find: '  for (const pattern of tokens) clean = clean.replace(pattern, mask);\n',
      replace: '',
      tests: ['test/transport/words/redaction.test.ts'],
    },
    {
      id: 'a secret that is encoded in a word is printed',
      find: 'maskEncoded(maskLikely(clean))',
      replace: 'maskLikely(clean)',
      tests: ['test/transport/words/redaction.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/words/secret-assignments.ts', [
    {
      id: 'a password behind its name is printed',
      find: 'for (const pattern of assignments)',
      replace: 'for (const pattern of assignments.slice(0, 2))',
      tests: ['test/transport/words/redaction.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/words/sanitize.ts', [
    {
      id: 'what is left after one pass is printed',
      find: "before = ''; before !== clean; round += 1) {",
      replace: "before = ''; round < 1; round += 1) {",
      tests: ['test/transport/words/sanitize.test.ts'],
    },
    {
      id: 'characters that nobody sees stay',
      find: "replace(sections, '').replace(invisible, '')",
      replace: "replace(sections, '')",
      tests: ['test/transport/words/sanitize.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/words/name.ts', [
    {
      id: 'a name from which something was taken becomes one that we know',
      find: 'clean === text ? text : `${clean}\\ufffd`',
      replace: 'clean',
      tests: ['test/transport/words/name.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/pacer.ts', [
    {
      id: 'a host that throttles is asked on',
      find: '    closedUntil = Math.max(closedUntil, now + Math.min(ms, longestClosedMs));\n',
      replace: '',
      tests: ['test/transport/pacer.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/words/redaction.ts', [
    {
      id: 'half of a secret is printed where a text ends',
      find: 'maskCut(maskWhole(text, known), known)',
      replace: 'maskWhole(text, known)',
      tests: ['test/transport/words/redaction.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/answers/shape.ts', [
    {
      id: 'a whole object is shown, and with it what it holds',
      find: "  if (typeof value === 'object' && value !== null) return 'an object';\n",
      replace: '',
      tests: ['test/transport/judged-outcomes.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/network-error.ts', [
    {
      id: 'a request that one of two addresses refused never left',
      find: 'codes.every((each) => neverSent.has(each))',
      replace: 'codes.some((each) => neverSent.has(each))',
      tests: ['test/transport/judged-outcomes.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/answers/told-wait.ts', [
    {
      id: 'a load balancer that answers for a server refuses the request',
      find: 'status >= 500 || status === 408 || status === 425',
      replace: 'status >= 500',
      tests: ['test/transport/told-waits.test.ts'],
    },
    {
      id: 'a server’s error that asks to wait is a guard in front of the work',
      find: '  if (status !== 403) return false;\n',
      replace: '  if (status < 400) return false;\n',
      tests: ['test/transport/told-waits.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/pacer.ts', [
    {
      id: 'a host that throttles again is left alone no longer',
      find: '    rests += toldMs === undefined ? 1 : 0;\n',
      replace: '    rests = 1;\n',
      tests: ['test/transport/rests.test.ts'],
    },
    {
      id: 'a call waits for a turn that is too far away',
      find: '      if (waitedMs + wait.ms > mostMs) throw new TurnTooFar(wait, waitedMs);\n',
      replace: '',
      tests: ['test/transport/turn-limit.test.ts'],
    },
    {
      id: 'few calls are spread over a whole hour',
      find: 'Math.min(resetInMs / Math.max(1, reads - inFlight), longestIntervalMs)',
      replace: 'resetInMs / Math.max(1, reads - inFlight)',
      tests: ['test/transport/rests.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/address.ts', [
    {
      id: 'an address may carry a password',
      find: "  if (url.username !== '' || url.password !== '') {",
      replace: "  if (url.username !== '' && url.password !== '') {",
      tests: ['test/transport/judged-outcomes.test.ts'],
    },
  ]),
];
