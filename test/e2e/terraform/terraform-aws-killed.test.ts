import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithTools } from '../../support/tools.ts';
import { describeWithMirror } from '../../terraform/mirror.ts';
import { type AwsSite, openAwsSite } from './sites/aws-site.ts';

const ofModule = 'module.runner_manager';

/** Last action that AWS completes before a kill, and the next run's line about it. */
const instants = [
  ['CreateLogGroup', `Adopting ${ofModule}.aws_cloudwatch_log_group.runner: `],
  ['CreateInstanceProfile', `Adopting ${ofModule}.aws_iam_instance_profile.runner: `],
  ['RunInstances', /Removed instance i-\w+ "pink-linux_runner-manager" \(running\): it has/],
] as const;

describeWithTools(
  { name: 'a Terraform run on AWS that is killed', needs: ['terraform', 'moto_server'] },
  (path) => {
    describeWithMirror('the AWS provider', (mirror) => {
      let site: AwsSite;
      beforeAll(async () => {
        site = await openAwsSite(path('moto_server'), mirror);
      });
      afterAll(async () => {
        await site?.close();
      });

      test('three kills and missing credentials in one apply leave nothing, and the goal is reached', async () => {
        expect(await site.stage('prepare')).toMatchObject({ exitCode: 0 });
        const texts: string[] = [];
        for (const [action] of instants) texts.push(await provisionUntil(site, action));
        texts.push(await provisionUntilExpired(site, 'RunInstances'));
        const { text, exitCode } = await site.stage('deploy');
        expect({ text, exitCode }).toEqual({ text, exitCode: 0 });
        expect(await site.wrongAtRest()).toEqual([]);

        for (const [index, [, expected]] of instants.entries())
          expect([...texts, text][index + 1]).toMatch(expected);
        // The next run's state contains everything that was created before the credentials expired.
        expect(text).not.toMatch(/is left|Adopting|Removed instance/);
        expect(unsavedOf(site)).toEqual([]);
      });
    });
  },
);

/** Runs provision and kills all its processes when AWS has completed the action. */
async function provisionUntil(site: AwsSite, action: string): Promise<string> {
  const running = site.start('provision');
  const note = join(site.terraform.directory, '.terraform/hosted-runner/linux-pink/holder.json');
  let isOver = false;
  site.front.strikeAt(action, async () => {
    // The lock's owner must be on record by then. Otherwise no run could prove later that the owner
    // is dead.
    while (!isOver && !existsSync(note)) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const pid of [running.pid, ...below(running.pid)]) killIfAlive(pid);
  });
  const { signal, text } = await running.ended;
  isOver = true;
  expect({ action, signal, text }).toEqual({ action, signal: 'SIGKILL', text });
  return text;
}

/** From here on, every response reports expired credentials, also for Terraform's backend. */
async function provisionUntilExpired(site: AwsSite, action: string): Promise<string> {
  site.front.expireAt(action);
  const { text, exitCode } = await site.stage('provision');
  site.front.renew();
  expect({ text, exitCode }).toEqual({ text, exitCode: 1 });
  expect(text).toContain('ref  TerraformCredentials');
  expect(unsavedOf(site)).toEqual(['.terraform/hosted-runner/linux-pink/errored.tfstate 600']);
  return text;
}

/** Lists the states that Terraform could not write, with their permissions. */
function unsavedOf({ terraform: { directory } }: AwsSite): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('errored.tfstate'))
    .map((path) => `${path} ${(statSync(join(directory, path)).mode & 0o777).toString(8)}`);
}

/** Lists all child processes from the top down, to leave no survivor a parent that could react. */
function below(pid: number): number[] {
  const children = childrenOf(pid);
  return [...children, ...children.flatMap(below)];
}

/** The process may have ended since it was listed. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}
