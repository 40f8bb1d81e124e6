import { beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { read } from '../structure/tree.ts';
import { type GitHubLanguage, loadGitHubLanguage } from './github-language.ts';
import { fillIn } from './run-model.ts';

const { concurrency, on, jobs } = parse(read('examples/github/recover.yml'));
const commands: readonly string[] = on.workflow_dispatch.inputs.command.options;

let language: GitHubLanguage;
beforeAll(async () => {
  language = await loadGitHubLanguage();
});

test('doctor, hold, release and rollback have queues apart from the deployment', () => {
  const queueOf = (command: string) =>
    fillIn(language, concurrency.group, { runner_name: 'linux', command });
  const queues = Object.fromEntries(commands.map((command) => [command, queueOf(command)]));
  const own = {
    doctor: 'hosted-runner/linux/look',
    hold: 'hosted-runner/linux/look',
    release: 'hosted-runner/linux/look',
    rollback: 'hosted-runner/linux/rollback',
  };
  const others = commands.filter((command) => !(command in own));
  expect(others).toEqual(expect.arrayContaining(['recover', 'activate']));
  const waiting = Object.fromEntries(others.map((command) => [command, 'hosted-runner/linux']));
  expect(queues).toEqual({ ...waiting, ...own });
});

test('every command that can switch the active shard waits for the reviewers, and no other does', () => {
  const environmentOf = (command: string) =>
    fillIn(language, jobs.recover.environment, { runner_name: 'linux', command });
  const found = Object.fromEntries(commands.map((command) => [command, environmentOf(command)]));
  const switching = ['recover', 'although-nothing-serves', 'activate', 'rollback'];
  expect(found).toEqual(
    Object.fromEntries(
      commands.map((command) => [
        command,
        switching.includes(command) ? 'production' : 'operations',
      ]),
    ),
  );
});
