import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Fault } from '../../sandbox/faults.ts';
import { bundledProgram } from '../support/program.ts';
import { describeWithTools } from '../support/tools.ts';
import { openWorld, type World } from './by-hand/world/world.ts';
import { openPseudoTerminal } from './pseudo-terminal/open.ts';

interface Failure {
  readonly name: string;
  readonly fault?: Omit<Fault, 'id'>;
  readonly env?: Readonly<Record<string, string>>;
  readonly next: string;
  readonly reason: RegExp;
  readonly widths: readonly number[];
}

const grant = 'Grant the missing permission (docs/use/permissions.md lists every call)';
const every = [40, 80, 120];

const failures: readonly Failure[] = [
  {
    name: 'GitLab refuses the token',
    env: { HOSTED_RUNNER_GITLAB_TOKEN: 'glpat-00000000000000000000' },
    next: 'Set another GitLab token in HOSTED_RUNNER_GITLAB_TOKEN (in CI, the variable or secret of this name)',
    reason: /^the credentials are refused \(GitLab GET \S+: 401 Unauthorized\)\.$/,
    widths: every,
  },
  {
    name: 'GitLab refuses the calls',
    fault: { service: 'gitlab', effect: { kind: 'status', status: 403 } },
    next: grant,
    reason: /^a permission is missing \(GitLab GET \S+: 403 Forbidden\)\.$/,
    widths: every,
  },
  {
    name: 'GitLab returns half a response',
    fault: { service: 'gitlab', effect: { kind: 'status', status: 200, body: '[{"id": 48001, "' } },
    next: 'Check that the address belongs to the API, and not to a proxy or a login page',
    reason: /^GitLab or AWS returned an unexpected response \(GitLab GET \S+: answered 200 .+\)\.$/,
    widths: every,
  },
  {
    name: 'GitLab closes every connection',
    fault: { service: 'gitlab', effect: { kind: 'reset_before' } },
    next: 'Check the address and the network connection to it',
    reason: /^GitLab or AWS does not respond \(GitLab GET \S+: no response .+ \(3 attempts\)\)\.$/,
    widths: every,
  },
  {
    name: 'EC2 refuses the call',
    fault: {
      service: 'ssm',
      match: { operation: 'DescribeInstances' },
      effect: { kind: 'status', status: 403 },
    },
    next: grant,
    reason: /^a permission is missing \(UnauthorizedOperation: .+ec2:DescribeInstances.+\)\.$/,
    // The name of a tag is one word of 38 columns.
    widths: [80, 120],
  },
];

describeWithTools({ name: 'status with a failed source', needs: ['python3'] }, (tool) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    expect(await world.stage('deploy')).toMatchObject({ exitCode: 0 });
  });
  afterEach(() => world.sandbox.faults.clear());
  afterAll(() => world.close());

  const cases = failures.flatMap((failure) =>
    failure.widths.map((columns) => ({ ...failure, columns })),
  );

  test.each(cases)(
    'exits with 1 and prints verdict, action and reason at $columns columns: $name',
    async ({ fault, env = {}, next, reason, columns }) => {
      if (fault !== undefined) world.sandbox.faults.add({ id: 'failed', ...fault });
      const terminal = openPseudoTerminal({
        python: tool('python3'),
        command: [process.execPath, bundledProgram, 'status', '--runner', 'linux'],
        env: { ...world.environment, TERM: 'xterm-256color', ...env },
        cwd: world.folder,
        rows: 60,
        columns,
      });
      const exitCode = await terminal.ended;
      const lines = terminal
        .drawn()
        .split(/\r?\n/)
        .filter((line) => !line.startsWith('!'));
      expect(lines.filter((line) => [...line].length > columns)).toEqual([]);
      const [verdict, second, third] = unwrap(lines);
      expect({ exitCode, second }).toEqual({ exitCode: 1, second: `Next: ${next}` });
      expect(verdict).toMatch(/^linux: .*\bpink\b/);
      expect(third?.replace('Reason: ', '')).toMatch(reason);
    },
  );
});

/** Joins wrapped lines: a continuation has a deeper indentation than its first line. */
function unwrap(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const isContinuation = /^ {4}\S/.test(line) || (joined.length === 1 && /^ {2}since/.test(line));
    if (isContinuation) joined.push(`${joined.pop() ?? ''} ${line.trim()}`);
    else joined.push(line.trim());
  }
  return joined;
}
