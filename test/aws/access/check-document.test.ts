import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fillDocument } from '../../../sandbox/aws/commands/documents.ts';
import { hashOf, renderCheckDocument } from '../../../src/adapters/aws/hosts/check-document.ts';
import type { CheckDocument } from '../../../src/adapters/aws/hosts/run-command.ts';
import { fromPortFailure } from '../../../src/errors/external-errors.ts';
import { isPortFailure, PortFailure } from '../../../src/ports/failure.ts';
import type { CheckLimit } from '../../../src/ports/runner-host.ts';
import { openSandbox } from '../../sandbox/hosts/running-sandbox.ts';
import {
  bootHost,
  connect,
  connectHost,
  dockerHost,
  githubHost,
  systemdHost,
} from '../sandbox-aws.ts';

const wrapped = { ...systemdHost, wrapper: 'tcp://localhost:7777' };
const hosts = [dockerHost, systemdHost, wrapped, githubHost];
const healthcheck = {
  reach: ['https://gitlab.example.com', 'registry.example.com:5000'],
  workloadImage: 'registry.example.com/probe:1',
};
const document = (host = dockerHost) =>
  JSON.parse(renderCheckDocument({ host, healthcheck })) as Parameters<typeof fillDocument>[0];

describe('the check document', () => {
  test.each(hosts)('stays below half of the 64 KB limit of Systems Manager, for %j', (host) => {
    const size = Buffer.byteLength(renderCheckDocument({ host, healthcheck }));
    expect(size).toBeLessThan(32 * 1024);
  });

  test.each(hosts)('contains double braces only around its own parameters, for %j', (host) => {
    const found = renderCheckDocument({ host, healthcheck }).match(/\{\{[^}]*\}?\}?/g);
    expect(found).toEqual(['{{ executionTimeout }}', '{{ id }}', '{{ wait }}', '{{ check }}']);
  });

  test.each([
    ['another check', { check: ['quit'] }],
    ['no check', {}],
    ['a command in place of a check', { check: ["look) reboot ;; '"] }],
    ['a command in place of an id', { check: ['probe'], id: ["';reboot;'"] }],
    ['commands', { check: ['look'], commands: ['reboot'] }],
    ['a command in place of a wait', { check: ['look'], wait: ['1; reboot'] }],
    ['a wait of more than half a minute', { check: ['look'], wait: ['31'] }],
    ['a time limit that is not a number', { check: ['look'], executionTimeout: ['1; reboot'] }],
  ])('refuses %s', (_, given) => {
    expect(() => fillDocument(document(), given)).toThrow(
      expect.objectContaining({ code: 'InvalidParameters' }),
    );
  });

  test('changes with the settings that its scripts contain', () => {
    const one = hashOf(renderCheckDocument({ host: dockerHost, healthcheck }));
    const others = [
      { host: systemdHost, healthcheck },
      { host: { ...dockerHost, listenPort: 1 }, healthcheck },
      { host: dockerHost, healthcheck: { ...healthcheck, reach: [] } },
      { host: dockerHost, healthcheck: { reach: healthcheck.reach } },
    ].map((settings) => hashOf(renderCheckDocument(settings)));
    expect(new Set([one, ...others]).size).toBe(5);
  });
});

describe('a host that is checked through a document', () => {
  const name = 'checks-of-linux';
  const right = renderCheckDocument({ host: dockerHost, healthcheck: { reach: [] } });
  const of = (content: string): CheckDocument => ({
    name,
    sha256: hashOf(content),
    runner: 'linux',
  });
  let opened: Awaited<ReturnType<typeof openSandbox>>;
  let id: string;
  const check = (sent: CheckDocument, limit: CheckLimit = {}) => {
    const ssm = connect(opened.sandbox.ssmUrl);
    return connectHost(ssm, dockerHost, sent)
      .look(id, limit)
      .finally(() => ssm.close());
  };
  beforeAll(async () => {
    opened = await openSandbox();
    id = await bootHost(opened, { runnerName: 'linux', shard: 'pink' } as never);
  });
  afterAll(() => opened.close());

  test('receives no script if the newest document version has the right content', async () => {
    const refusal = async (limit: CheckLimit = {}) => {
      const error: unknown = await check(of(right), limit).catch((thrown: unknown) => thrown);
      if (!isPortFailure(error)) throw error;
      return error;
    };
    expect(await refusal()).toMatchObject({
      detail: `InvalidDocument: Document with name ${name} does not exist.`,
      refusedDocument: { name, runner: 'linux' },
    });
    // An older release has no wait on the host.
    const { wait: _, ...parameters } = JSON.parse(right).parameters;
    const old = JSON.stringify({ ...JSON.parse(right), parameters });
    await opened.ssm.createDocument({ Name: name, Content: old, DocumentType: 'Command' });
    expect(await refusal({ untilIdleMs: 10_000 })).toMatchObject({
      kind: 'refused',
      effect: 'none',
      detail: `InvalidDocument: document hash ${hashOf(right)} does not match Sha256.`,
      refusedDocument: { name, runner: 'linux' },
    });
    await opened.ssm.updateDocument({ Name: name, Content: right, DocumentVersion: '$LATEST' });
    expect(await check(of(right), { untilIdleMs: 10_000 })).toMatchObject({ process: 'running' });

    const { Document } = await opened.ssm.describeDocument({ Name: name });
    expect(Document?.Hash).toBe(hashOf(right));
    await expect(
      opened.ssm.sendCommand({
        DocumentName: name,
        DocumentVersion: '$LATEST',
        InstanceIds: [id],
        Parameters: { commands: ['id'] },
      }),
    ).rejects.toMatchObject({ name: 'InvalidParameters' });
  });
});

test('a refused document causes an error with the command that writes its content', () => {
  const failure = new PortFailure({
    kind: 'refused',
    effect: 'none',
    source: 'SSM SendCommand i-0123456789abcdef0',
    detail: 'InvalidDocument: document hash 0a does not match Sha256.',
    refusedDocument: { name: 'checks-of-linux', runner: 'linux' },
  });
  const { code, exitCode, fields } = fromPortFailure(
    failure,
    'hosted-runner healthcheck --runner linux',
  );
  expect({ code, exitCode }).toEqual({ code: 'CheckDocumentRefused', exitCode: 1 });
  expect(fields.fix).toEqual([
    "Write the document's content to a file: hosted-runner check-document --runner linux --output check-document.json",
    "Then update the document (if it does not exist, create it with aws ssm create-document --document-type Command): aws ssm update-document --name checks-of-linux --document-version '$LATEST' --content file://check-document.json",
    'Then run it again: hosted-runner healthcheck --runner linux',
  ]);
});
