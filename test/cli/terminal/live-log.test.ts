import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { createOutput } from '../../../src/adapters/system/process-output.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { type Aside, logOpener } from '../../../src/app/open-log.ts';
import type { DeploymentId, RunnerName } from '../../../src/domain/shard.ts';
import { runEvent } from '../../../src/report/event-file/run-lines.ts';
import { openScreen } from '../../e2e/pseudo-terminal/screen.ts';
import { pink, stackSettings } from '../../fakes/builders.ts';
import { deployment } from '../../report/running.ts';

const clock = { now: () => 0, elapsed: () => 0, sleep: async () => {} };

/** Opens a log at a terminal that shows standard output and standard error. */
function openTerminal(size: { columns: number; rows: number }, redactor = createRedactor()) {
  const screen = openScreen(size.columns || 80);
  const stream = Object.assign(new EventEmitter(), {
    ...size,
    isTTY: true,
    write(text: string) {
      // A terminal's driver adds the carriage return.
      screen.write(text.replaceAll('\n', '\r\n'));
      return true;
    },
  }) as unknown as NodeJS.WriteStream;
  let aside: Aside = (print) => print();
  const showError = (text: string) => aside(() => void stream.write(text));
  const openLog = logOpener({
    environment: {},
    clock,
    redactor,
    stdout: createOutput(stream),
    showError,
    screen: stream,
    dressing: (text) => text,
    style: () => ({ color: false, columns: undefined }),
    onError: () => {},
    onPicture: (next) => {
      aside = next;
    },
  });
  const shown = () => screen.rows().filter((row) => row !== '');
  const until = async (is: () => boolean) => {
    for (let n = 0; n < 3000 && !is(); n++) await new Promise((r) => setTimeout(r, 5));
  };
  const showPrompt = (question: string) => void stream.write(question);
  return { openLog, shown, until, showError, showPrompt };
}

test('a line on standard error removes the wait’s row from the screen', async () => {
  const { openLog, shown, until, showError } = openTerminal({ columns: 80, rows: 24 });
  const log = await openLog({});
  log.wait('Waiting: a job runs');
  await until(() => shown().length === 1);
  showError('! GitLab is silent.\n');
  expect(shown()).toEqual(['! GitLab is silent.', '  Waiting: a job runs (0s)']);
  log.act('Went on.');
  log.close();
  showError('the end\n');
  expect(shown()).toEqual(['! GitLab is silent.', '  Went on.', 'the end']);
});

test.each([false, true])('a question removes the wait above it (drawn: %s)', async (drawn) => {
  const { openLog, shown, until, showPrompt } = openTerminal({ columns: 80, rows: 24 });
  const log = await openLog({});
  log.wait('Waiting: registrations and machines are looked at');
  if (drawn) await until(() => shown().length === 1);
  log.act('Affects i-0123456789abcdef0');
  showPrompt('Type pink to continue: ');
  // The frame loads with the first wait, and may arrive after the question.
  await import('log-update');
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown()).toEqual(['  Affects i-0123456789abcdef0', 'Type pink to continue:']);
  log.close();
});

test('an evidence file that cannot be written leaves no extra row of a wait', async () => {
  const { openLog, shown, until } = openTerminal({ columns: 200, rows: 24 });
  const log = await openLog({ eventFile: '/dev/full' });
  log.wait('Waiting: a job runs');
  await until(() => shown().some((row) => row.includes('Waiting')));
  log.event({ kind: 'silence', side: 'GitLab', ms: 5000 });
  expect(shown()).toEqual([
    expect.stringMatching(/^! Stopped writing the evidence to \/dev\/full/),
    '  Waiting: a job runs (0s)',
  ]);
  log.close();
});

test.each([
  { columns: 0, rows: 0 },
  { columns: 80, rows: 0 },
  { columns: 0, rows: 24 },
])('a terminal without a size gets plain lines: %j', async (size) => {
  const { openLog, shown } = openTerminal(size);
  const log = await openLog({ picture: true });
  log.wait('Waiting: a job runs');
  log.close();
  expect(shown()).toEqual(['  Waiting: a job runs']);
});

test('a secret in a wait or in the live picture is masked on the screen', async () => {
  const secret = 'battery-staple';
  const redactor = createRedactor();
  redactor.add(secret);
  const { openLog, shown, until } = openTerminal({ columns: 120, rows: 24 }, redactor);
  const log = await openLog({ picture: true });
  const settings = { ...stackSettings(), runnerName: secret as RunnerName };
  const run = {
    ci: 'terminal',
    deploymentId: '101-5001' as DeploymentId,
    jobId: '1',
    by: 'deployer',
    pipelineCreatedAt: '',
  } as const;
  log.event(runEvent({ command: 'deploy', program: '0', run, settings }));
  log.event({ kind: 'record', how: 'read', deployment: { ...deployment, id: secret } });
  const job = { id: '7', name: secret, status: 'running', project: 'shop', url: '' } as const;
  log.event({ kind: 'drain', shard: pink, judgement: { kind: 'busy', reason: '', jobs: [job] } });
  log.wait(`Waiting: ${secret} runs`);
  await until(() => shown().some((row) => row.includes('not started')));
  const rows = shown();
  log.close();
  expect(rows.join('\n')).not.toContain(secret);
  expect(rows).toEqual([
    expect.stringMatching(/^── deploy \[MASKED\] · .* · \[MASKED\]$/),
    expect.stringContaining('pink'),
    '      [MASKED] 7 not started',
    expect.stringContaining('purple'),
    '  Waiting: [MASKED] runs (0s)',
  ]);
});
