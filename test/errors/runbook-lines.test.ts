import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../e2e/by-hand/world/world.ts';
import { root } from '../support/program.ts';
import { runAws, shellWords } from './aws-program.ts';
import { awsLinesIn } from './commands-in.ts';

const runbook = readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8');
const [, base = ''] = /^export BASE=(\S+)/m.exec(runbook) ?? [];

/** The lines run in the order of the document, because one line removes what another created. */
const lines = [...runbook.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
  awsLinesIn(block),
);
/** Decides whether a line creates a token, which only works for a shard without one. */
const createsToken = (line: string) => line.includes('/pink/runner_token');

let fresh: World;
let deployed: World;
beforeAll(async () => {
  fresh = await openWorld();
  deployed = await openWorld();
  for (const stage of ['deploy', 'prepare', 'onboard'])
    expect(await deployed.stage(stage)).toMatchObject({ exitCode: 0 });
});
afterAll(async () => {
  await fresh.close();
  await deployed.close();
});

async function paste(world: World, line: string): Promise<unknown> {
  return runAws(shellWords(line, { BASE: base }), world.environment);
}

test('runbook commands exist, and name the path of the parameters', () => {
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.filter(createsToken)).toHaveLength(1);
  expect(base).toBe('/gitlab/dedicated/runner/linux');
});

test('each runbook command works when pasted, with the exports of the sandbox', async () => {
  const refused: string[] = [];
  let machine: string | undefined;
  for (const line of lines) {
    // The operator fills in only this id, from the previous line's output.
    const whole = line.replace(/\bi-0abc\w+/, machine ?? 'i-unknown');
    const answer = await paste(createsToken(line) ? fresh : deployed, whole).catch(
      (error: unknown) => {
        refused.push(`${line}: ${String(error)}`);
      },
    );
    if (line.includes('describe-instances'))
      machine = (answer as readonly (readonly string[])[] | undefined)?.[0]?.[0];
  }
  expect(refused).toEqual([]);
});

describe('the release of a stack', () => {
  const [, chapter = ''] =
    /^### Return to hosted-runner\n(.*?)^(?:#|$(?![\s\S]))/ms.exec(runbook) ?? [];
  const blocks = [...chapter.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);

  test('needs the release, or an administrator who deletes the record first', () => {
    expect(blocks.map((block) => block.trim().split('\n'))).toEqual([
      [
        'hosted-runner release --runner linux',
        'hosted-runner activate --runner linux --shard pink',
        'hosted-runner finalize --runner linux',
      ],
      [
        'aws ssm delete-parameter --name $BASE/deployment_record',
        'hosted-runner release --runner linux',
      ],
    ]);
    expect(chapter).toContain('it requires an administrator');
  });

  test('deletes only parameters that the shipped policies allow to delete', () => {
    const deleted = lines.filter((line) => line.startsWith('aws ssm delete-parameter'));
    expect(deleted).toEqual(['aws ssm delete-parameter --name $BASE/deployment_record']);
    const policies = readdirSync(join(root, 'examples/iam')).map((name) =>
      readFileSync(join(root, 'examples/iam', name), 'utf8'),
    );
    const deletes = policies.flatMap((text) =>
      (JSON.parse(text).Statement as { Action: string | string[]; Resource: string | string[] }[])
        .filter(({ Action }) => Action.includes('ssm:DeleteParameter'))
        .flatMap(({ Resource }) => Resource),
    );
    expect(deletes.length).toBeGreaterThan(0);
    expect(deletes.filter((name) => /deployment_(?:record|hold|lock)/.test(name))).toEqual([]);
  });

  test('lets the next deployment take the stack over', async () => {
    expect(await fresh.stage('deploy')).toMatchObject({ exitCode: 0 });
    expect(await fresh.stage('hold', { args: ['--reason', 'by hand'] })).toMatchObject({
      exitCode: 0,
    });
    await paste(fresh, blocks[1]?.split('\n')[0] ?? '');
    expect(await fresh.stage('prepare')).toMatchObject({ exitCode: 3, code: 'Held' });
    expect(await fresh.stage('release')).toMatchObject({ exitCode: 0 });
    // AWS releases the name after a while, which the world shortens.
    expect(await fresh.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
});
