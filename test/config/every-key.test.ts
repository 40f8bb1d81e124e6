import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { listLeaves } from '../../src/config/leaf.ts';
import type { StackSettings } from '../../src/domain/settings.ts';
import type { Ports } from '../../src/ports/ports.ts';
import { pink } from '../fakes/builders.ts';
import { root } from '../support/program.ts';
import { loadStack } from './loading.ts';
import { composition, writeNoting } from './observed/composition.ts';
import { type Circumstances, deployment } from './observed/deployment.ts';

type Look = (settings: StackSettings, folder: string) => Promise<string>;

interface Row {
  /** What it is changed to, with nothing else changed. */
  readonly to: string;
  readonly look: Look;
  readonly base?: keyof typeof bases;
  /** What is set before and after, because the key goes with it. */
  readonly beside?: readonly string[];
}

const gitlab = `version: 1
defaults:
  gitlab: { url: https://gitlab.example.com }
  registration: { scope: instance, tags: [linux] }
  infrastructure: { apply: [note, apply, "{shard}"], destroy: [note, destroy, "{shard}"] }
stacks: { linux: {} }
`;
const bases = {
  gitlab,
  terraform: gitlab.replace(
    /infrastructure: .*/,
    'infrastructure: { directory: "FOLDER/{runner_name}/{shard}" }',
  ),
  github: `version: 1
defaults:
  runners: github
  github: { organization: acme }
  registration: { tags: [linux] }
  canary: { kind: workflow, project: acme/app }
  infrastructure: { apply: [note, apply, "{shard}"], destroy: [note, destroy, "{shard}"] }
stacks: { linux: {} }
`,
} as const;

/** A deployment in memory: every call of every port with its moment, the log, and the end. */
const deployed =
  (circumstances: Circumstances = {}): Look =>
  (settings) =>
    deployment(settings, circumstances);

/** What the ports of production send, run, or say. */
const asked =
  (ask: (ports: Ports, settings: StackSettings) => readonly Promise<unknown>[]): Look =>
  (settings, folder) =>
    composition(settings, (ports) => ask(ports, settings), folder);

const host = 'i-0123456789abcdef0';
const place = ({ runnerName }: StackSettings) => ({ runnerName, shard: pink });
const registered = asked((ports, settings) => [
  ports.registry.create({
    shard: place(settings),
    settings: settings.registration,
    tags: ['linux'],
    note: '',
  }),
]);
const listed = asked((ports) => [ports.registry.listWorkers('pink-linux' as never)]);
const canaryStarted = asked(({ canary }) => [
  canary.start(),
  canary.findNewest(),
  Promise.resolve(canary.byHand),
]);
const hostLooked = asked((ports) => [ports.host.look(host)]);
const accessProbed = asked((ports) => [ports.access.probe()]);
const inventoryListed = asked((ports, settings) => [ports.inventory.list(place(settings))]);

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const one of events) seen.push(one);
  return seen;
}

const built = asked((ports, settings) => [
  (async () => {
    const plan = await ports.infrastructure.plan(place(settings));
    await all(ports.infrastructure.apply(place(settings), plan));
  })(),
]);
const removed = asked((ports, settings) => [all(ports.infrastructure.destroy(place(settings)))]);
const sought = asked((ports, settings) => [ports.infrastructure.exists(place(settings))]);

const long = deployed({ longJobMs: 3_600_000 });
const required = (kind: string) => [`healthcheck.evidence.${kind}=required`];
const minute = '1m';

/** Each key, changed alone, and where that is seen. A new key has none, and the test below says so. */
const rows: Readonly<Record<string, Row>> = {
  'gitlab.url': { to: 'https://other.example.com', look: registered },
  'github.url': { to: 'https://ghe.example.com', look: listed, base: 'github' },
  'github.organization': { to: 'other', look: listed, base: 'github' },
  'github.runner_group': { to: 'Fleet', look: registered, base: 'github' },
  'github.app_id': {
    to: '2',
    look: listed,
    base: 'github',
    beside: ['github.app_id=1', 'github.installation_id=7'],
  },
  'github.installation_id': {
    to: '8',
    look: listed,
    base: 'github',
    beside: ['github.app_id=1', 'github.installation_id=7'],
  },
  'github.secret_parameter': { to: '/github/key', look: listed, base: 'github' },
  shards: { to: 'blue,green', look: deployed({ empty: true }) },
  parameter_prefix: { to: '/other/{runner_name}/', look: deployed({ empty: true }) },
  kms_key_id: {
    to: 'alias/ours',
    look: asked((ports) => [
      ports.parameters.create({ name: '/a/runner_token', value: 'x', secret: true }),
    ]),
  },
  'aws.account': { to: '999999999999', look: deployed() },
  'aws.region': { to: 'us-east-1', look: deployed() },
  'aws.stage_roles': { to: 'cleanup=arn:aws:iam::111122223333:role/cleanup', look: accessProbed },
  'aws.sweep': { to: 'off', look: accessProbed },
  'registration.group_id': {
    to: '8',
    look: registered,
    beside: ['registration.scope=group', 'registration.group_id=7'],
  },
  'registration.project_id': {
    to: '8',
    look: registered,
    beside: ['registration.scope=project', 'registration.project_id=7'],
  },
  'registration.tags': { to: 'linux,large', look: deployed() },
  'registration.run_untagged': { to: 'true', look: deployed() },
  'registration.locked': { to: 'true', look: registered },
  'registration.access_level': { to: 'ref_protected', look: registered },
  'registration.maximum_timeout': { to: '2h', look: registered },
  'canary.kind': { to: 'off', look: deployed() },
  'canary.project': {
    to: 'acme/other',
    look: canaryStarted,
    beside: ['canary.kind=project', 'canary.project=acme/canary'],
  },
  'canary.ref': {
    to: 'stable',
    look: canaryStarted,
    beside: ['canary.kind=project', 'canary.project=acme/canary'],
  },
  'canary.input': {
    to: 'label',
    look: canaryStarted,
    beside: ['canary.kind=project', 'canary.project=acme/canary'],
  },
  'canary.workflow': { to: 'other.yml', look: canaryStarted, base: 'github' },
  'infrastructure.directory': {
    to: 'FOLDER/other/{runner_name}/{shard}',
    look: built,
    base: 'terraform',
  },
  'infrastructure.binary': { to: 'tofu', look: built, base: 'terraform' },
  'infrastructure.backend_config': { to: 'bucket=ours', look: built, base: 'terraform' },
  'infrastructure.workspace': { to: '{runner_name}-{shard}', look: built, base: 'terraform' },
  'infrastructure.var_files': { to: '{shard}.tfvars', look: built, base: 'terraform' },
  'infrastructure.variables': { to: 'size=large', look: built, base: 'terraform' },
  'infrastructure.lock_timeout': { to: '7m', look: built, base: 'terraform' },
  'infrastructure.stack_tag': { to: 'stack', look: inventoryListed },
  'infrastructure.shard_tag': { to: 'shard', look: inventoryListed },
  'infrastructure.apply': { to: '["note", "up", "{shard}"]', look: built },
  'infrastructure.destroy': { to: '["note", "down", "{shard}"]', look: removed },
  'infrastructure.outputs': { to: '["note", "tell", "{shard}"]', look: sought },
  'infrastructure.working_directory': { to: 'FOLDER/other', look: built },
  'infrastructure.pass_environment': { to: 'SHOWN', look: built },
  'host.access': { to: 'none', look: hostLooked },
  'host.kind': { to: 'systemd', look: hostLooked },
  'host.name': { to: 'ours', look: hostLooked },
  'host.listen_port': { to: '9300', look: hostLooked },
  managers: { to: '2', look: deployed() },
  'healthcheck.timeout': { to: '20m', look: deployed({ boot: 'never_contacts' }) },
  'healthcheck.evidence.instance': { to: 'off', look: deployed() },
  'healthcheck.evidence.manager': { to: 'off', look: deployed() },
  'healthcheck.evidence.host': { to: 'off', look: deployed() },
  'healthcheck.evidence.workload': { to: 'required', look: deployed() },
  'healthcheck.evidence.capacity': {
    to: 'optional',
    look: deployed(),
    beside: ['healthcheck.idle_workers=5'],
  },
  'healthcheck.evidence.reachability': {
    to: 'optional',
    look: deployed(),
    beside: ['healthcheck.reach=https://registry.example.com'],
  },
  'healthcheck.evidence.canary': { to: 'optional', look: deployed({ boot: 'never_takes_jobs' }) },
  'healthcheck.evidence.observe': { to: 'required', look: deployed() },
  'healthcheck.timeouts.instance': { to: minute, look: deployed({ bootMs: 600_000 }) },
  'healthcheck.timeouts.manager': { to: minute, look: deployed({ boot: 'never_contacts' }) },
  'healthcheck.timeouts.workload': {
    to: minute,
    look: deployed({ boot: 'broken_workload' }),
    beside: required('workload'),
  },
  'healthcheck.timeouts.capacity': {
    to: minute,
    look: deployed(),
    beside: ['healthcheck.idle_workers=5'],
  },
  'healthcheck.timeouts.reachability': {
    to: minute,
    look: deployed({ unreachable: 'https://registry.example.com' }),
    beside: ['healthcheck.reach=https://registry.example.com'],
  },
  'healthcheck.timeouts.canary': { to: minute, look: deployed({ boot: 'never_takes_jobs' }) },
  'healthcheck.timeouts.observe': { to: minute, look: deployed(), beside: required('observe') },
  'healthcheck.successes': { to: '3', look: deployed() },
  'healthcheck.idle_workers': { to: '2', look: deployed() },
  'healthcheck.reach': { to: 'https://registry.example.com', look: deployed() },
  'healthcheck.observe_jobs': { to: '7', look: deployed(), beside: required('observe') },
  'healthcheck.workload_image': {
    to: 'registry.example.com/probe:1',
    look: asked((ports) => [ports.host.probeWorkload(host)]),
  },
  'healthcheck.poll': { to: '17s', look: deployed() },
  'drain.timeout': { to: '5m', look: long },
  'drain.force_after': { to: '5m', look: long },
  'drain.poll_of_runner': { to: '2m', look: deployed() },
  'drain.confirmation': { to: '9m', look: deployed(), beside: ['host.access=none'] },
  'drain.poll': { to: '7s', look: long },
  'drain.service_poll': { to: '5m', look: long },
};

/** Seen where a whole situation has to be built for it. */
const elsewhere: Readonly<Record<string, readonly [file: string, words: string]>> = {
  runners: ['test/config/github.test.ts', 'a stack of GitHub’s runners'],
  'github.repository': ['test/github/scopes.test.ts', '/repos/acme/app/actions/runners'],
  'github.enterprise': ['test/github/scopes.test.ts', '/enterprises/acme/actions/runners'],
  'github.ephemeral': ['test/stages/managers.test.ts', 'github.ephemeral is %s'],
  'canary.job_name': ['test/gitlab/canary-job.test.ts', 'jobName'],
  'registration.scope': ['test/gitlab/registry-writes.test.ts', 'scope'],
  'aws.role_names': ['test/aws/access.test.ts', 'roleNames'],
  'infrastructure.driver': ['test/config/contradictions.test.ts', 'infrastructure.driver'],
  'infrastructure.own_names': ['test/terraform/accepted-plans.test.ts', 'ownNames'],
  'infrastructure.timeout': ['test/command/failures.test.ts', 'timeoutMs'],
  'host.wrapper': ['test/aws/wrapper-calls.test.ts', 'wrapper'],
  'healthcheck.timeouts.host': [
    'test/e2e/by-hand/aws-troubles.test.ts',
    'healthcheck.timeouts.host',
  ],
  'healthcheck.evidence_max_age': ['test/stages/evidence-age.test.ts', 'evidenceMaxAgeMs'],
};

test('every key of the configuration is here, and none that there is not', () => {
  const here = [...Object.keys(rows), ...Object.keys(elsewhere)].sort();
  expect(here).toEqual(
    listLeaves()
      .map(({ name }) => name as string)
      .sort(),
  );
});

test.each(Object.entries(elsewhere))('%s is seen in a test of its own', (_, [file, words]) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(words);
});

describe('a key that is changed alone changes what is asked, run, or said', () => {
  test.each(Object.entries(rows))(
    '%s',
    async (name, { to, look, base = 'gitlab', beside = [] }) => {
      const folder = mkdtempSync(join(tmpdir(), 'every-key-'));
      for (const program of ['note', 'terraform', 'tofu']) writeNoting(join(folder, program));
      for (const path of ['linux/pink', 'other/linux/pink'])
        mkdirSync(join(folder, path), { recursive: true });
      const here = (text: string) => text.replaceAll('FOLDER', folder);
      const at = (overrides: readonly string[]) =>
        loadStack({ text: here(bases[base]), overrides: overrides.map(here) });
      try {
        const before = await look(await at(beside), folder);
        rmSync(join(folder, 'seen'), { force: true });
        const after = await look(await at([...beside, `${name}=${to}`]), folder);
        expect(plain(before, folder)).not.toBe('');
        expect(plain(after, folder)).not.toBe(plain(before, folder));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );

  test.each(['gitlab', 'terraform', 'github'] as const)(
    'and nothing changes where nothing is changed: %s',
    async (base) => {
      const folder = mkdtempSync(join(tmpdir(), 'every-key-'));
      for (const program of ['note', 'terraform', 'tofu']) writeNoting(join(folder, program));
      mkdirSync(join(folder, 'linux/pink'), { recursive: true });
      const text = bases[base].replaceAll('FOLDER', folder);
      const looks = [
        deployed(),
        long,
        registered,
        listed,
        canaryStarted,
        hostLooked,
        accessProbed,
        inventoryListed,
        built,
        removed,
        sought,
      ];
      try {
        for (const look of looks) {
          const before = plain(await look(await loadStack({ text }), folder), folder);
          rmSync(join(folder, 'seen'), { force: true });
          const after = plain(await look(await loadStack({ text }), folder), folder);
          rmSync(join(folder, 'seen'), { force: true });
          expect(after).toBe(before);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

/** Without what differs from run to run. */
function plain(seen: string, folder: string): string {
  return seen
    .replaceAll(folder, 'FOLDER')
    .replace(
      /saved-plan\.\S+|hosted-runner-[\w-]+|[0-9a-f]{8}-[0-9a-f-]{27}|127\.0\.0\.1:\d+|[a-z0-9]{16}(?=[^a-z0-9])/g,
      'X',
    );
}
