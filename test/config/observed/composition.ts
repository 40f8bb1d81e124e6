import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createProcessTable, systemMachine } from '../../../src/adapters/system/processes.ts';
import { createSystemClock } from '../../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../../src/adapters/system/system-random.ts';
import { createCallBudget } from '../../../src/adapters/transport/budget.ts';
import type { Send } from '../../../src/adapters/transport/send.ts';
import { createRedactor } from '../../../src/adapters/transport/words/redaction.ts';
import { composePorts } from '../../../src/app/compose/compose.ts';
import type { StackSettings } from '../../../src/domain/settings.ts';
import type { DeploymentId } from '../../../src/domain/shard.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Ports } from '../../../src/ports/ports.ts';
import { answered } from '../../support/answered.ts';
import '../../support/preloaded-adapters.ts';
import { withChange } from '../../terraform/plans/plan-verdicts.ts';

const noop = () => {};
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

export interface Around {
  readonly folder?: string;
  /** Environment of the program. */
  readonly ci?: 'terminal' | 'gitlab';
  /** Whether to record each wait's limit. */
  readonly notesWaits?: boolean;
  /** Limit of a wait. A longer one is recorded and ends the requests. */
  readonly longestWaitMs?: number;
}

/**
 * Records the requests of the production ports. Each request fails after its first response, which
 * is enough.
 */
export async function composition(
  settings: StackSettings,
  callPorts: (ports: Ports) => readonly Promise<unknown>[],
  {
    folder = '/nowhere',
    ci = 'terminal',
    notesWaits = false,
    longestWaitMs = Number.POSITIVE_INFINITY,
  }: Around = {},
): Promise<string> {
  const seen: string[] = [];
  const aws = await openAws(seen);
  const environment = {
    ...aws.environment,
    HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-made-up-for-this-test',
    HOSTED_RUNNER_GITHUB_TOKEN: 'ghp_madeupforthistest',
    HOSTED_RUNNER_GITHUB_PRIVATE_KEY: privateKey,
    SHOWN: 'to those who may see it',
    CI_PROJECT_ID: '7',
    CI_PIPELINE_ID: '101',
    CI_PIPELINE_IID: '11',
    PATH: `${folder}:${process.env['PATH']}`,
  };
  const before = process.env;
  // The SDK reads the process's environment itself.
  process.env = { ...before, ...aws.environment };
  const abort = new AbortController();
  const system = createSystemClock();
  const clock: Clock = {
    ...system,
    sleep(durationMs, signal) {
      if (durationMs > longestWaitMs) {
        seen.push(`would wait for ${Math.round(durationMs / 1000)} s`);
        abort.abort(new Error('not waited for'));
      }
      if (notesWaits) seen.push(`waits for ${durationMs} ms`);
      return system.sleep(durationMs, signal);
    },
  };
  try {
    const ports = await composePorts({
      command: 'prepare',
      signal: () => abort.signal,
      settings,
      run: {
        ci,
        deploymentId: '101-5001' as DeploymentId,
        jobId: '1',
        by: 'deployer',
        pipelineCreatedAt: '2026-01-02T03:04:05.000Z',
      },
      log: { section: noop, act: noop, wait: noop, warn: noop, event: noop },
      surroundings: {
        environment,
        clock,
        random: createSystemRandom(),
        processes: createProcessTable(systemMachine({ hostname: 'here' })),
        redactor: createRedactor(),
        budget: createCallBudget({ clock }),
        signal: abort.signal,
        send: recording(seen),
        patienceMs: 1000,
      },
    });
    const ended = await Promise.allSettled(callPorts(ports));
    seen.push(...ended.map((one) => (one.status === 'fulfilled' ? JSON.stringify(one.value) : '')));
  } catch (error) {
    seen.push(`${error}`);
  } finally {
    abort.abort();
    process.env = before;
    aws.close();
    seen.push(readSeen(join(folder, 'seen')));
  }
  return seen.join('\n');
}

function readSeen(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const groups = [
  { id: 1, name: 'Default' },
  { id: 2, name: 'Quarantine' },
];
const known = [
  ['/metadata', '{"version":"19.2.0","enterprise":true}'],
  ['/pipelines', '[]'],
  ['/runner-groups', JSON.stringify({ total_count: groups.length, runner_groups: groups })],
] as const;

/** Models GitLab and GitHub, which only know their version and two groups. */
function recording(seen: string[]): Send {
  return async ({ method, url, headers, body }) => {
    const [, claims = ''] = headers['authorization']?.split('.') ?? [];
    const issuer = /"iss":"?(\w+)/.exec(Buffer.from(claims, 'base64url').toString())?.[1];
    seen.push(`${method} ${url} ${issuer ?? ''} ${body ?? ''}`);
    const [, answer] = known.find(([end]) => url.pathname.endsWith(end)) ?? [];
    return {
      status: answer === undefined ? 404 : 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: answer ?? '[]',
    };
  };
}

/** Responses with empty lists. */
const empty: Readonly<Record<string, string>> = {
  DescribeAutoScalingGroups: '<AutoScalingGroups/>',
  DescribeInstances: '<reservationSet/>',
  DescribeTags: '<tagSet/>',
};

async function openAws(seen: string[]) {
  const server = createServer(
    answered(async (request, response) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += part;
      const target = request.headers['x-amz-target'] ?? '';
      seen.push(`${target} ${body}`);
      if (body.includes('GetCallerIdentity')) {
        response.writeHead(200, { 'content-type': 'text/xml' });
        return response.end(
          '<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::111122223333:role/deployer</Arn><UserId>x</UserId><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
        );
      }
      if (body.includes('runner_fleet')) {
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
        return response.end(JSON.stringify({ __type: 'ParameterNotFound', message: '' }));
      }
      if (`${target}`.endsWith('.GetParameter') && !body.includes('deployment')) {
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
        return response.end(
          JSON.stringify({
            Parameter: { Name: 'x', Value: privateKey, Version: 1, LastModifiedDate: 1 },
          }),
        );
      }
      if (`${target}`.includes('Tagging')) {
        response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
        return response.end('{"ResourceTagMappingList":[]}');
      }
      if (target !== '') {
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
        return response.end(JSON.stringify({ __type: 'InvalidInstanceId', message: '' }));
      }
      if (body.includes('Action=Get')) {
        response.writeHead(404, { 'content-type': 'text/xml' });
        return response.end(
          '<ErrorResponse><Error><Code>NoSuchEntity</Code></Error></ErrorResponse>',
        );
      }
      response.writeHead(200, { 'content-type': 'text/xml' });
      const action = /Action=(\w+)/.exec(body)?.[1];
      const none = empty[action ?? ''] ?? '';
      return response.end(
        `<${action}Response>${none}<${action}Result>${none}</${action}Result></${action}Response>`,
      );
    }),
  );
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      AWS_ACCESS_KEY_ID: 'AKIAMADEUP',
      AWS_SECRET_ACCESS_KEY: 'made-up',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Writes a program that records its arguments. It stands in for Terraform, whose plan has a random
 * name, or for any other program.
 */
export function writeNoting(file: string): void {
  writeFileSync(
    file,
    `#!/bin/sh
echo "$(basename "$0") $* in $(basename "$PWD") SHOWN=$SHOWN" >>"$(dirname "$0")/seen"
for word; do
  case $word in -out=*) echo saved >"\${word#-out=}" ;; esac
done
[ "$1" = show ] && exec cat "$(dirname "$0")/plan.json"
echo '{"terraform_version":"1.13.5"}'
`,
    { mode: 0o755 },
  );
  const plan = withChange({ after: { name: 'pink-base' } });
  writeFileSync(join(dirname(file), 'plan.json'), JSON.stringify(plan));
}
