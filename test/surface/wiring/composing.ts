import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { createProcessTable, systemMachine } from '../../../src/adapters/system/processes.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../../src/adapters/system/system-random.ts';
import { createCallBudget } from '../../../src/adapters/transport/budget.ts';
import type { Send } from '../../../src/adapters/transport/send.ts';
import { createSlowResponseNotice } from '../../../src/adapters/transport/slow-response-notice.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { composePorts, type Surroundings } from '../../../src/app/compose/compose.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { DeploymentId } from '../../../src/domain/shard.ts';
import type { Ports } from '../../../src/ports/ports.ts';
import { answered } from '../../support/answered.ts';
import '../../support/preloaded-adapters.ts';

/** Secret without a token's shape, which only a redactor that knows it can mask. */
export const secret = 'battery-staple';

const invocation = {
  Status: 'Success',
  ResponseCode: 0,
  StandardOutputContent: `inspect_code=0\ninspect=running no\njobs_code=0\nrunning=0\nlog=with ${secret}\nend=1`,
  StandardErrorContent: '',
};
const answers: Readonly<Record<string, unknown>> = {
  SendCommand: { Command: { CommandId: '11111111-2222-4333-8444-555555555555' } },
  GetCommandInvocation: invocation,
  DescribeAlarms: {
    MetricAlarms: [{ AlarmName: 'errors', StateValue: 'ALARM', StateReason: `for ${secret}` }],
  },
};

/**
 * AWS that responds to three operations with a secret in the text, and refuses all others with it.
 */
const server = createServer(
  answered(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const operation = String(request.headers['x-amz-target'] ?? '').replace(/^.*\./, '');
    const answer = answers[operation];
    const isJson = operation !== '';
    response.writeHead(answer === undefined ? 400 : 200, {
      'content-type': isJson ? 'application/x-amz-json-1.1' : 'text/xml',
    });
    const message = `refused of ${secret}`;
    response.end(
      isJson
        ? JSON.stringify(answer ?? { __type: typeOf(body), message })
        : `<ErrorResponse><Error><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
    );
  }),
);
/** The list of a stack's runners on GitHub does not exist yet, so GitHub is queried. */
function typeOf(body: string): string {
  return body.includes('runner_fleet') ? 'ParameterNotFound' : 'ValidationException';
}

let folder: string;
const before = process.env;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = mkdtempSync(join(tmpdir(), 'composed-'));
  const diagnostic = { severity: 'error', summary: `with ${secret}`, detail: '' };
  const line = JSON.stringify({ '@level': 'error', type: 'diagnostic', diagnostic });
  writeProgram(
    'terraform',
    `[ "$1" = version ] && exec echo '{"terraform_version":"1.13.5"}'`,
    line,
  );
  writeProgram('destroy', '', `with ${secret}`);
  // The SDK reads the process's environment itself.
  process.env = { ...before, ...environment() };
});
afterAll(() => {
  process.env = before;
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a program that fails and prints a secret. */
function writeProgram(name: string, first: string, printed: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${first}\necho '${printed}'\necho '${printed}' >&2\nexit 3\n`);
  chmodSync(file, 0o755);
}

function environment(): Record<string, string> {
  return {
    AWS_ACCESS_KEY_ID: 'AKIAMADEUP',
    AWS_SECRET_ACCESS_KEY: 'made-up',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    HOSTED_RUNNER_GITLAB_TOKEN: 'shapeless-token-of-gitlab',
    HOSTED_RUNNER_GITHUB_TOKEN: 'ghp_madeupforthistest',
    PATH: `${folder}:${before['PATH']}`,
  };
}

/**
 * Opens the parts of the process that production shares with each adapter, with a record of their
 * use.
 */
export function openSurroundings() {
  const clock = createSystemClock();
  const redactor = createRedactor();
  redactor.add(secret);
  const sent: string[] = [];
  const entered: string[] = [];
  const watched: string[] = [];
  const abort = new AbortController();
  const budget = createCallBudget({ clock });
  const notice = createSlowResponseNotice({ clock, signal: abort.signal, report: () => {} });
  const surroundings: Surroundings = {
    environment: environment(),
    clock,
    random: createSystemRandom(),
    processes: createProcessTable(systemMachine({ hostname: 'here' })),
    redactor,
    budget: {
      ...budget,
      of(host) {
        entered.push(host);
        return budget.of(host);
      },
    },
    signal: abort.signal,
    slowNotice: {
      ...notice,
      watch(side, request, earlier) {
        watched.push(side);
        return notice.watch(side, request, earlier);
      },
    },
    send: async ({ url }) => {
      sent.push(url.host);
      return {
        status: 400,
        headers: new Headers({ 'content-type': 'application/json' }),
        body: JSON.stringify({ message: `refused of ${secret}` }),
      };
    },
    patienceMs: 1000,
  };
  return { surroundings, sent, entered, watched, abort };
}

const mostMs = 20_000;

export type PortQuery = (ports: Ports) => Promise<unknown>;

/** Returns the production ports' response or failure, and the path of the request. */
export async function queryPorts(settings: StackSettings, question: PortQuery, send?: Send) {
  const { surroundings, abort, ...seen } = openSurroundings();
  const ignore = () => {};
  const ports = await composePorts({
    command: 'doctor',
    signal: () => abort.signal,
    settings,
    run: {
      ci: 'terminal',
      deploymentId: '101-5001' as DeploymentId,
      jobId: '1',
      by: 'deployer',
      pipelineCreatedAt: '2026-01-02T03:04:05.000Z',
    },
    log: { section: ignore, act: ignore, wait: ignore, warn: ignore, event: ignore },
    surroundings: send === undefined ? surroundings : { ...surroundings, send },
  });
  // A request outside of the recorded transport gets no response.
  const limit = setTimeout(() => abort.abort(), mostMs);
  let text: string;
  try {
    text = JSON.stringify(await question(ports));
  } catch (error) {
    text = (error as Error).message;
  }
  clearTimeout(limit);
  abort.abort();
  return { text, ...seen };
}
