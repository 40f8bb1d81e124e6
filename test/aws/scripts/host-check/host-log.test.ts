import { describe, expect, test } from '@jest/globals';
import { readReport } from '../../../../src/adapters/aws/hosts/host-report.ts';
import { hostCheckScript } from '../../../../src/adapters/aws/scripts/host-check-script.ts';
import { createRedactor } from '../../../../src/adapters/transport/words/redaction.ts';
import { timeOfLine } from '../../../../src/domain/text/log-entry.ts';
import { causeLines } from '../../../../src/domain/text/log-line.ts';
import { dockerHost, systemdHost } from '../../sandbox-aws.ts';
import { curl, docker } from '../host-check-stubs.ts';
import { runOnHost } from '../on-a-host.ts';

const plain = (text: string) => text;

describe("the runner's log", () => {
  const logged = (script: string, curlStub = curl('19.3.0')) =>
    runOnHost(hostCheckScript(dockerHost), {
      curl: curlStub,
      docker: `case "$line" in logs*) ${script} ;; *) ${docker('running always ', '19.3.0')} ;; esac`,
    });
  const logOf = (script: string) => readReport(logged(script).output, plain).log;

  test('keeps whole lines: the reason of a failed request stands behind byte 300', () => {
    const line = `WARNING: Checking for jobs... failed ${'x'.repeat(400)} x509: certificate signed by unknown authority`;
    expect(logOf(`echo '${line}'`)).toEqual([line]);
  });

  test('loses its colours and padding', () => {
    const line = String.raw`\033[31;1mERROR: Checking for jobs... forbidden            \033[0;m  \033[31;1mrunner\033[0;m=AbCdEfGhI`;
    expect(logOf(`printf '${line}\\n'`)).toEqual([
      'ERROR: Checking for jobs... forbidden runner=AbCdEfGhI',
    ]);
  });

  test('shows no token, even next to an address or divided by a colour', () => {
    const { redact } = createRedactor();
    const line = String.raw`Runner http://hostglrt-abcdefghij\033[0;m0123456789 is not healthy`;
    expect(readReport(logged(`printf '${line}\\n'`).output, redact).log).toEqual([
      'Runner http://host[MASKED] is not healthy',
    ]);
  });

  test('fills the available space with its newest whole lines', () => {
    const many = `i=1; while [ $i -le 60 ]; do printf '%s %01500d end\\n' "line-$i-" 0; i=$((i + 1)); done`;
    const { text, output } = logged(many);
    expect(text.length).toBeLessThanOrEqual(24_000);
    const { log } = readReport(output, plain);
    expect(log.length).toBeGreaterThan(10);
    expect(log.at(-1)).toMatch(/^line-60- 0+ end$/);
    for (const line of log) expect(line).toMatch(/^line-\d+- 0+ end$/);
    expect(output.complete).toBe(true);
  });

  test('keeps its space beside pages that are not a runner’s', () => {
    const page = `i=1; while [ $i -le 500 ]; do printf '%0400d\\n' 0; i=$((i + 1)); done`;
    const { text, output } = logged(`echo 'the last line'`, page);
    expect(text.length).toBeLessThanOrEqual(24_000);
    expect(output.complete).toBe(true);
    expect(readReport(output, plain).log).toEqual(['the last line']);
  });

  test('keeps a cause that is older than many successful jobs', () => {
    const job = [
      'Checking for jobs... received                       job=$i',
      'Updating job...                                     bytesize=0 job=$i',
      'Submitting job to coordinator...ok                  code=200 job=$i',
      'Added job to processing list                        builds=1 job=$i',
      'Appending trace to coordinator...ok                 code=202 job=$i',
      'Removed job from processing list                    builds=0 job=$i',
    ];
    const cause = 'ERROR: increasing instances failure';
    const log = logOf(
      `echo '${cause}'; i=1; while [ $i -le 20 ]; do ${job.map((line) => `echo "${line}"`).join('; ')}; i=$((i + 1)); done`,
    );
    expect(log[0]).toBe(cause);
    expect(log.filter((line) => line.includes('received'))).toHaveLength(20);
    expect(log.slice(-30).filter((line) => line.includes('Updating job...'))).toHaveLength(5);
  });

  test('shows the time of each line, for a container and for a unit', () => {
    const systemctl = `printf 'LoadState=loaded\\nActiveState=active\\nSubState=running\\n'`;
    const stubs = { curl: 'exit 7', systemctl, pgrep: 'exit 1', 'gitlab-runner': 'exit 1' };
    const line = 'WARNING: Checking for jobs... failed';
    const unit = runOnHost(hostCheckScript(systemdHost), {
      ...stubs,
      journalctl: `case "$line" in *short-iso*) echo '2026-11-06T08:00:00+0000 ip-10 gitlab-runner[8]: ${line}' ;; esac`,
    });
    const container = runOnHost(hostCheckScript(dockerHost), {
      ...stubs,
      docker: `case "$line" in *--timestamps*) echo '2026-11-06T08:00:00.123456789Z ${line}' ;; *) ${docker('running always ', '19.4.0')} ;; esac`,
    });
    for (const { output } of [unit, container]) {
      const [read = ''] = readReport(output, plain).log;
      expect(timeOfLine(read)).toBeCloseTo(Date.parse('2026-11-06T08:00:00Z'), -3);
      expect(causeLines([read], 1)).toEqual([line]);
    }
  });

  test('may hold a carriage return', () => {
    expect(logOf(String.raw`printf 'one\rtwo\n'`)).toEqual(['onetwo']);
  });
});
