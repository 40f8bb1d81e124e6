import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../e2e/by-hand/world/world.ts';
import { root } from '../support/program.ts';
import { runAws, shellWords } from './aws-program.ts';
import { awsLinesIn } from './commands-in.ts';

const runbook = readFileSync(join(root, 'docs/operate/runbook.md'), 'utf8');
const [, base = ''] = /^export BASE=(\S+)/m.exec(runbook) ?? [];

/** From a shell's blocks: in the order in which they stand there, what one writes another removes. */
const lines = [...runbook.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
  awsLinesIn(block),
);
/** It is for a shard that has none yet. */
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

test('there are such lines, and they say where the parameters are', () => {
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.filter(createsToken)).toHaveLength(1);
  expect(base).toBe('/gitlab/dedicated/runner/linux');
});

test('each is carried out as it is pasted, with what the sandbox exports', async () => {
  const refused: string[] = [];
  let machine: string | undefined;
  for (const line of lines) {
    // The one thing that a person fills in, from the answer to the line before.
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

describe('a stack is given back', () => {
  const [, chapter = ''] = /^### Give it back\n(.*?)^(?:#|$(?![\s\S]))/ms.exec(runbook) ?? [];
  const blocks = [...chapter.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);

  test('by the release alone, or by an administrator who deletes the record before it', () => {
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
    expect(chapter).toContain('this takes an administrator');
  });

  test('nothing else is deleted but what our policies let one delete', () => {
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

  test('and the next deployment takes it over', async () => {
    expect(await fresh.stage('deploy')).toMatchObject({ exitCode: 0 });
    expect(await fresh.stage('hold', { args: ['--reason', 'by hand'] })).toMatchObject({
      exitCode: 0,
    });
    await paste(fresh, blocks[1]?.split('\n')[0] ?? '');
    expect(await fresh.stage('prepare')).toMatchObject({ exitCode: 3, code: 'Held' });
    expect(await fresh.stage('release')).toMatchObject({ exitCode: 0 });
    // AWS gives the name out again after a while, of which the world shortens what it can.
    expect(await fresh.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
});
