import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RunnerName } from '../../src/domain/shard.ts';
import type { DeployError } from '../../src/errors/deploy-error.ts';
import { typing } from '../support/typing.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const dynamo =
  'operation error DynamoDB: PutItem, https response error StatusCode: 400, RequestID: X, api error';

describe('a probe whose plan is refused', () => {
  let workshop: Workshop;
  let bin: string;
  beforeEach(() => {
    workshop = openWorkshop();
    bin = mkdtempSync(join(tmpdir(), 'refusing-terraform-'));
  });
  afterEach(() => {
    workshop.close();
    rmSync(bin, { recursive: true, force: true });
  });

  /** Creates a program that initialises, and whose plan prints this diagnostic. */
  function probe(summary: string, detail: string) {
    const diagnostic = { type: 'diagnostic', diagnostic: { severity: 'error', summary, detail } };
    writeFileSync(join(bin, 'diagnostic'), `${JSON.stringify(diagnostic)}\n`);
    const script = `#!/bin/sh
case "$1" in
version) echo '{"terraform_version": "1.11.4"}' ;;
init) ;;
*) cat "$(dirname "$0")/diagnostic"; exit 1 ;;
esac
`;
    writeFileSync(join(bin, 'terraform'), script, { mode: 0o755 });
    const environment = { PATH: `${bin}${delimiter}/usr/bin${delimiter}/bin` };
    return workshop
      .open({ settings: { backendConfig: [] }, environment })
      .probe('linux' as RunnerName);
  }

  const lock = 'Error acquiring the state lock';
  const keys = "api error InvalidIdentityToken: Couldn't retrieve verification key";

  test.each([
    [lock, `${dynamo} ThrottlingException: Rate exceeded`, 'TerraformThrottled', 1],
    [
      lock,
      'operation error S3: PutObject, https response error StatusCode: 503, RequestID: X, HostID: Y, api error SlowDown: Please reduce your request rate.',
      'TerraformThrottled',
      1,
    ],
    [
      lock,
      `operation error STS: AssumeRoleWithWebIdentity, ${keys}`,
      'TerraformIssuerUnreachable',
      1,
    ],
    [lock, 'Unexpected HTTP response code 500', 'TerraformUnreachable', 1],
    ['reading the state', 'api error Throttling: Rate exceeded', 'TerraformThrottled', 75],
  ])(
    'reports nothing as missing for a temporary cause: "%s: %s"',
    async (summary, detail, code, exitCode) => {
      const ended = probe(summary, `Error message: ${detail}`);
      await expect(ended).rejects.toMatchObject({ code, exitCode });
      const error: DeployError = await ended.catch((thrown) => thrown);
      for (const command of ['prepare', 'deploy'])
        expect(error.asTyped(typing(command)).fields.fix).toEqual([
          expect.anything(),
          `Then run: hosted-runner ${command} --runner linux`,
        ]);
    },
  );

  test('names the fix for a permanent cause', async () => {
    const [found] = await probe(lock, `Error message: ${dynamo} ResourceNotFoundException: absent`);
    expect(found).toMatchObject({ outcome: 'missing' });
    expect(found?.detail).toMatch(
      /ResourceNotFoundException: absent" Correct the backend's lock table, bucket or address: the problem is quoted above$/,
    );
  });
});
