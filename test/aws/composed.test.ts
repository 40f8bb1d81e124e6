import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createProcessTable, systemMachine } from '../../src/adapters/system/processes.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../src/adapters/system/system-random.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createRedactor } from '../../src/adapters/transport/words/redaction.ts';
import { composeAws } from '../../src/app/compose/compose-aws.ts';
import type { SessionCommand } from '../../src/domain/deployment/stages-and-steps.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import { stackSettings } from '../fakes/builders.ts';
import { createRecordingLog } from '../stages/recording-log.ts';
import { answered } from '../support/answered.ts';

// jest cannot load modules in parallel that share others (`request for … is not in cache`).
for (const part of ['services', 'access/aws-account'])
  await import(`../../src/adapters/aws/${part}.ts`);
for (const part of ['ec2-instances', 'aws-inventory', 'auto-scaling-hooks'])
  await import(`../../src/adapters/aws/inventory/${part}.ts`);

/** The script of the one command that the workload probe of these settings sends. */
async function sentProbe(
  settings: StackSettings,
  command: SessionCommand = 'provision',
): Promise<string> {
  const sent: string[] = [];
  const server = createServer(
    answered(async (request, response) => {
      let body = '';
      for await (const part of request.setEncoding('utf8')) body += part;
      sent.push(
        [
          body,
          ...((JSON.parse(body) as { Parameters: { commands?: string[] } }).Parameters.commands ??
            []),
        ].join('\n'),
      );
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify({ __type: 'InvalidInstanceId', message: '' }));
    }),
  );
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as AddressInfo;
  const environment = {
    AWS_ACCESS_KEY_ID: 'AKIAMADEUP',
    AWS_SECRET_ACCESS_KEY: 'made-up',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  };
  // The SDK reads the process's environment itself.
  const before = process.env;
  process.env = { ...before, ...environment };
  try {
    const clock = createSystemClock();
    const { host } = await composeAws({
      command,
      settings,
      surroundings: {
        environment,
        clock,
        random: createSystemRandom(),
        processes: createProcessTable(systemMachine({ hostname: 'here' })),
        redactor: createRedactor(),
        budget: createCallBudget({ clock }),
        signal: new AbortController().signal,
      },
      signal: () => new AbortController().signal,
      log: createRecordingLog(),
    });
    await expect(host.probeWorkload('i-0123456789abcdef0')).rejects.toThrow('InvalidInstanceId');
  } finally {
    process.env = before;
    server.close();
  }
  return sent.join('\n');
}

test("the workload probe pulls and runs the configuration's image", async () => {
  const { healthcheck, ...rest } = stackSettings();
  const image = 'registry.example/probe:1';
  const named = { ...rest, healthcheck: { ...healthcheck, workloadImage: image } };
  expect(await sentProbe(named)).toContain(image);
  expect(await sentProbe(stackSettings())).not.toContain(image);
});

test.each([
  ['prepare', true],
  ['healthcheck', true],
  ['provision', false],
  ['finalize', false],
  ['doctor', false],
] as const)('%s sends its checks through the check document: %j', async (command, isSo) => {
  const { host, ...rest } = stackSettings();
  const named = { ...rest, host: { ...host, document: 'checks-of-linux' } };
  const sent = await sentProbe(named, command);
  expect(sent.includes('"DocumentName":"checks-of-linux"')).toBe(isSo);
  expect(sent.includes('"DocumentName":"AWS-RunShellScript"')).toBe(!isSo);
});
