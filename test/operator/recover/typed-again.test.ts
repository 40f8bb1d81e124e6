import { describe, expect, test } from '@jest/globals';
import { createProcessTable, systemMachine } from '../../../src/adapters/system/processes.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../../src/adapters/system/system-random.ts';
import { createCallBudget } from '../../../src/adapters/transport/budget.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import type { Program } from '../../../src/app/process-program.ts';
import { createHandlers } from '../../../src/app/session-handlers.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { readTyped } from '../../../src/cli/command-text.ts';
import type { Typed } from '../../../src/errors/fix-line.ts';
import { lockHeld } from '../../../src/errors/lock-errors.ts';
import { consentOf } from '../../../src/operator/confirm.ts';
import { recover } from '../../../src/operator/recover/recover.ts';
import { minimal } from '../../config/loading.ts';
import { createRecordingLog } from '../../stages/recording-log.ts';
import { type } from '../doctor/examine.ts';
import { failed } from './failed-candidate.ts';

const typedAs = (line: string): Typed => {
  const argv = line.split(' ');
  return readTyped(argv, { command: argv[0] ?? '', redact: (text) => text });
};

/** Returns the name that errors use for a command line. */
async function nameOf(line: string): Promise<string> {
  const argv = line.split(' ');
  const log = createRecordingLog();
  const clock = createSystemClock();
  const sections: string[] = [];
  const program = {
    environment: { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-made-up', AWS_REGION: 'eu-west-1' },
    clock,
    processes: createProcessTable(systemMachine({ hostname: 'here' })),
    typed: typedAs(line),
    random: createSystemRandom(),
    redactor: createRedactor(),
    budget: createCallBudget({ clock }),
    // The command has its name before the cancellation, which prevents every query.
    signal: AbortSignal.abort(new Error('received SIGTERM')),
    folder: { read: async () => minimal },
    operator: 'anna',
    own: { stderr: { write: () => true } },
    openLog: async () => ({
      ...log,
      section: (title: string) => void sections.push(title),
      close: () => {},
    }),
  } as unknown as Program;
  await runCommandLine({
    argv,
    environment: program.environment,
    redact: (text) => text,
    handlers: createHandlers(program),
    version: '1.2.3',
    columns: undefined,
    write: () => {},
    writeError: () => {},
  }).catch(() => {});
  expect(sections).toEqual([expect.stringMatching(/ linux$/)]);
  return sections[0]?.replace(/ linux$/, '') ?? '';
}

const lines = [
  'recover --method replace --address module.x --yes --runner linux',
  'recover --method cleanup --although-nothing-serves --yes --runner linux --set drain.timeout=1h',
  'activate --shard pink --registration 77 --runner linux',
];

describe('a printed command and the options that were typed', () => {
  test.each(lines)('keeps every option if another run holds the lock: %s', async (line) => {
    const stage = await nameOf(line);
    const held = lockHeld({ runner: 'linux', stage, reason: 'somebody', isAlive: false });
    expect(held.asTyped(typedAs(line)).fields.fix).toEqual([
      `Once that run has ended, run again: hosted-runner ${line}`,
      `Only if you are sure that it has ended: hosted-runner ${line} --take-lock`,
    ]);
  });

  test.each([
    ['no prompt is possible', undefined],
    ['another shard was typed', async () => 'pink'],
  ])('keeps every option without a confirmation, because %s', async (_, prompt) => {
    const line = 'recover --method replace --address aws_instance.manager --runner linux';
    const world = await failed(1, 'fails_jobs', 'terraform');
    const addresses = ['aws_instance.manager'];
    const consent = consentOf(false, prompt);
    const ending = await type(world, `hosted-runner ${line}`, {
      drive: { act: (context) => recover(context, { method: 'replace', addresses, consent }) },
    });
    if (ending.kind !== 'error') throw new Error(ending.kind);
    expect(ending.error.code).toBe('NotConfirmed');
    const printed = (canPrompt: boolean) =>
      ending.error.asTyped({ ...typedAs(line), canPrompt }).fields.fix;
    expect(printed(false)).toEqual([`If purple is the right shard: hosted-runner ${line} --yes`]);
    expect(printed(true)).toEqual([`If purple is the right shard: hosted-runner ${line}`]);
  });
});
