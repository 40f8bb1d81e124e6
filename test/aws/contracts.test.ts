import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { hashOf, renderCheckDocument } from '../../src/adapters/aws/hosts/check-document.ts';
import type { CheckDocument } from '../../src/adapters/aws/hosts/run-command.ts';
import { createParameterStore } from '../../src/adapters/aws/state-store/parameter-store.ts';
import type { HostSettings } from '../../src/domain/settings.ts';
import { runnerHostContract, stackShard } from '../contract/runner-host.contract.ts';
import { parametersContract } from '../contract/state-store.contract.ts';
import { type WaitingHostWorld, waitingHostContract } from '../contract/waiting-host.contract.ts';
import { openSandbox, until } from '../sandbox/hosts/running-sandbox.ts';
import { sampleOf } from '../support/sample.ts';
import {
  bootHost,
  connect,
  connectHost,
  dockerHost,
  type OpenSandbox,
  systemdHost,
} from './sandbox-aws.ts';

parametersContract('AWS over the sandbox', async () => {
  const opened = await openSandbox();
  const ssm = connect(opened.sandbox.ssmUrl);
  return {
    store: createParameterStore({ ssm }),
    pass: (durationMs) => opened.sandbox.clock.advance(durationMs),
    loseNextAnswer() {
      for (const operation of ['PutParameter', 'DeleteParameter']) {
        opened.sandbox.faults.add({
          id: operation,
          service: 'ssm',
          match: { operation },
          effect: { kind: 'reset_after' },
          times: 1,
        });
      }
    },
    async close() {
      ssm.close();
      await opened.close();
    },
  };
});

const hosts: readonly { name: string; settings: HostSettings }[] = [
  { name: 'Run Command and docker', settings: dockerHost },
  { name: 'Run Command and systemd', settings: systemdHost },
  {
    name: 'the check document and docker',
    settings: { ...dockerHost, document: 'checks-of-linux' },
  },
  {
    name: 'the check document and systemd',
    settings: { ...systemdHost, document: 'checks-of-linux' },
  },
];

for (const { name, settings } of sampleOf(hosts, (one) => `host ${one.name}`))
  runnerHostContract(`${name} over the sandbox`, () => hostWorld(settings));
for (const { name, settings } of sampleOf(hosts, (one) => `waiting host ${one.name}`))
  waitingHostContract(`${name} over the sandbox`, () => hostWorld(settings));

async function hostWorld(settings: HostSettings): Promise<WaitingHostWorld> {
  const opened = await openSandbox({ behaviour: { process: settings.process.kind } });
  const { sandbox } = opened;
  let jumping: NodeJS.Timeout | undefined;
  const ssm = connect(sandbox.ssmUrl);
  const targets = [
    { target: `${sandbox.url}/api/v4/version`, kind: 'reached' },
    { target: '127.0.0.1:1', kind: 'refused' },
    { target: new URL(sandbox.url).host, kind: 'reached' },
  ] as const;
  const markOf = (hostId: string) => join(opened.folder, `jobs-of-${hostId}-end`);
  const reach = targets.map(({ target }) => target);
  return {
    host: connectHost(ssm, settings, await createDocument(opened, settings, reach)),
    boot: (shard) => bootHost(opened, shard),
    async startJob(hostId) {
      const { shard, runnerName } = sandbox.fleet.find(hostId) ?? {};
      sandbox.gitlab.submitJob({
        project: 'acme/app',
        tags: [`${shard}-${runnerName}`],
        script: [`until [ -e '${markOf(hostId)}' ]; do sleep 0.1; done`],
      });
    },
    endJobs(hostId) {
      writeFileSync(markOf(hostId), '');
    },
    elapsed: () => performance.now(),
    during: (call) => call,
    async loseAgent(hostId) {
      sandbox.fleet.setAgent(hostId, 'lost');
      // The product waits for the delivery in real time. The sandbox's clock jumps repeatedly, in
      // case the command is sent late.
      jumping = setInterval(() => sandbox.clock.advance(31_000), 500);
    },
    terminate: async (hostId) => {
      await sandbox.fleet.terminate(hostId);
    },
    fillDisk(hostId) {
      const machine = sandbox.fleet.machine(hostId);
      if (machine !== undefined) machine.behaviour.workload = 'broken';
    },
    targets,
    revokeToken(hostId) {
      Object.assign(sandbox.fleet.machine(hostId)?.unit?.settings ?? {}, { token: 'glrt-revoked' });
    },
    pass: () => new Promise((resolve) => setTimeout(resolve, 100)),
    async close() {
      clearInterval(jumping);
      ssm.close();
      await opened.close();
    },
  };
}

/** Creates the document of the settings in the sandbox's Systems Manager. */
async function createDocument(
  { ssm }: OpenSandbox,
  host: HostSettings,
  reach: readonly string[],
): Promise<CheckDocument | undefined> {
  if (host.document === undefined) return undefined;
  const content = renderCheckDocument({ host, healthcheck: { reach } });
  await ssm.createDocument({ Name: host.document, Content: content, DocumentType: 'Command' });
  return { name: host.document, sha256: hashOf(content), runner: 'linux' };
}

test.each([
  ['19.4.0', true, { answered: 0, refused: 0, byRouter: true, slots: 4 }],
  ['19.3.0', true, { answered: 0, refused: 0, byRouter: true, slots: 4 }],
  ['19.4.0', false, { answered: expect.any(Number), refused: 0, slots: 4 }],
  ['19.3.0', false, { answered: expect.any(Number), refused: 0, slots: 4 }],
])(
  'a runner %s with FF_USE_JOB_ROUTER %s counts its requests as the sandbox does',
  async (...row) => {
    const [runnerVersion, jobRouter, requests] = row;
    const opened = await openSandbox({ behaviour: { runnerVersion, jobRouter } });
    const ssm = connect(opened.sandbox.ssmUrl);
    const id = await bootHost(opened, stackShard('pink', 'linux'));
    const report = await until(async () => {
      const seen = await connectHost(ssm).look(id);
      return seen.kind === 'report' && (seen.requests?.byRouter ?? false) === jobRouter && seen;
    });
    expect(report.requests).toEqual(requests);
    ssm.close();
    await opened.close();
  },
);

test('the autoscaler’s idle slots and the image’s own health come from the host', async () => {
  const opened = await openSandbox({ behaviour: { idleWorkers: 3, health: 'unhealthy' } });
  const ssm = connect(opened.sandbox.ssmUrl);
  const id = await bootHost(opened, stackShard('pink', 'linux'));
  expect(await connectHost(ssm).look(id)).toMatchObject({
    process: 'running',
    idleWorkers: 3,
    health: 'unhealthy',
    clockOffMs: 0,
  });
  ssm.close();
  await opened.close();
});
