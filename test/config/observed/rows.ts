import {
  accessProbed,
  asked,
  type bases,
  built,
  canaryStarted,
  deployed,
  host,
  hostLooked,
  inventoryListed,
  type Look,
  listed,
  long,
  registered,
  removed,
  sought,
} from './looks.ts';

export interface Row {
  /** What it is changed to, with nothing else changed. */
  readonly to: string;
  readonly look: Look;
  readonly base?: keyof typeof bases;
  /** What is set before and after, because the key goes with it. */
  readonly beside?: readonly string[];
}

const required = (kind: string) => [`healthcheck.evidence.${kind}=required`];
const minute = '1m';

/** Each key, changed alone, and where that is seen. A new key has none, and the test below says so. */
export const rows: Readonly<Record<string, Row>> = {
  'gitlab.url': { to: 'https://other.example.com', look: registered },
  'github.url': { to: 'https://ghe.example.com', look: listed, base: 'github' },
  'github.organization': { to: 'other', look: listed, base: 'github' },
  'github.runner_group': { to: 'Fleet', look: registered, base: 'github' },
  'github.quarantine_group': {
    to: 'Other',
    look: registered,
    base: 'github',
    beside: ['github.quarantine_group=Quarantine', 'github.closed_group=Closed'],
  },
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
  'bake.on_unhealthy': { to: 'report', look: long },
};

/** Seen where a whole situation has to be built for it. */
export const elsewhere: Readonly<Record<string, readonly [file: string, words: string]>> = {
  runners: ['test/config/github.test.ts', 'a stack of GitHub’s runners'],
  'github.repository': ['test/github/runners/scopes.test.ts', '/repos/acme/app/actions/runners'],
  'github.closed_group': ['test/github/runners/groups.test.ts', 'reaches nobody who drains'],
  'github.enterprise': ['test/github/runners/scopes.test.ts', '/enterprises/acme/actions/runners'],
  'github.ephemeral': ['test/stages/managers.test.ts', 'github.ephemeral is %s'],
  'canary.job_name': ['test/gitlab/jobs/canary-job.test.ts', 'jobName'],
  'registration.scope': ['test/gitlab/runners/registry-writes.test.ts', 'scope'],
  'aws.role_names': ['test/aws/access/access.test.ts', 'roleNames'],
  'infrastructure.driver': ['test/config/contradictions.test.ts', 'infrastructure.driver'],
  'infrastructure.own_names': ['test/terraform/plans/accepted-plans.test.ts', 'ownNames'],
  'infrastructure.timeout': ['test/command/failures.test.ts', 'timeoutMs'],
  'host.wrapper': ['test/aws/scripts/wrapper-calls.test.ts', 'wrapper'],
  'healthcheck.timeouts.host': [
    'test/e2e/by-hand/aws-troubles.test.ts',
    'healthcheck.timeouts.host',
  ],
  'healthcheck.evidence_max_age': ['test/stages/evidence-age.test.ts', 'evidenceMaxAgeMs'],
};
