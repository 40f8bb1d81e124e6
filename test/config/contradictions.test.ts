import { describe, expect, test } from '@jest/globals';
import { problemsOf, withKeys } from './loading.ts';

/** Keys of the stack, from line 13 on, and the lines that refuse them. */
const refused: readonly [string, string[], string[]][] = [
  [
    'commands that name no shard',
    ['infrastructure: {apply: [up], destroy: [down], outputs: [show]}'],
    [
      '13:29: infrastructure.apply: {shard} is missing, so the command would touch both shards',
      '13:44: infrastructure.destroy: {shard} is missing, so the command would touch both shards',
      '13:61: infrastructure.outputs: {shard} is missing, so the command would touch both shards',
    ],
  ],
  [
    'a misspelt placeholder',
    ['infrastructure: {apply: [up, "{shrd}", "{runer_name}"]}'],
    [
      '13:29: infrastructure.apply: unknown placeholder {shrd}; did you mean {shard}?',
      '13:29: infrastructure.apply: unknown placeholder {runer_name}; did you mean {runner_name}?',
    ],
  ],
  [
    'a directory and commands at once',
    ['infrastructure: {directory: infra, apply: [up, "{shard}"]}'],
    ['13:33: infrastructure.directory: requires driver terraform, but the driver is command'],
  ],
  [
    'Terraform without its directory',
    ['infrastructure: {driver: terraform}'],
    ['13:30: infrastructure.driver: driver terraform needs infrastructure.directory'],
  ],
  [
    'commands beside Terraform',
    [
      'infrastructure: {driver: terraform, directory: "infra/{runner_name}/{shard}", outputs: ["{shard}"]}',
    ],
    ['13:92: infrastructure.outputs: requires driver command, but the driver is terraform'],
  ],
  [
    'a state that shards and stacks would share',
    ['infrastructure: {driver: terraform, directory: infra}'],
    [
      '13:52: infrastructure.directory: {shard} is missing in backend_config, workspace and directory, so both shards would share a state',
      '13:52: infrastructure.directory: {runner_name} is missing in backend_config, workspace and directory, so every stack would share a state',
    ],
  ],
  [
    'a misspelt placeholder of Terraform',
    [
      'infrastructure: {driver: terraform, directory: infra, workspace: "{shard}-{runner_name}", variables: ["s={shards}"]}',
    ],
    ['13:106: infrastructure.variables: unknown placeholder {shards}; did you mean {shard}?'],
  ],
  [
    'a tag given twice',
    ['registration: {tags: [a, b, a]}'],
    ['13:26: registration.tags: "a" is given twice'],
  ],
  [
    'a runner that no job could reach',
    ['registration: {tags: []}'],
    ['13:26: registration.tags: without tags and run_untagged, no job could reach the runner'],
  ],
  [
    'a group without its id',
    ['registration: {scope: group}'],
    ['13:27: registration.scope: scope group needs registration.group_id'],
  ],
  [
    'the id of another scope',
    ['registration: {scope: project, project_id: 3, group_id: 4}'],
    ['13:61: registration.group_id: requires scope group, but the scope is project'],
  ],
  [
    'a canary project without its path',
    ['canary: {kind: project}'],
    ['13:20: canary.kind: kind project needs canary.project'],
  ],
  [
    'a canary project that is not used',
    ['canary: {project: acme/canary}'],
    ['13:23: canary.project: requires kind project, but the kind is job'],
  ],
  [
    'a canary that is required and off',
    ['canary: {kind: off}', 'healthcheck: {evidence: {canary: required}}'],
    [
      '14:38: healthcheck.evidence.canary: required, but canary.kind is off, so no canary can verify a candidate',
    ],
  ],
  [
    'evidence of a host without access',
    ['host: {access: none}', 'healthcheck: {evidence: {host: required, workload: required}}'],
    [
      '14:36: healthcheck.evidence.host: required, but host.access is none, so no host can be checked',
      '14:56: healthcheck.evidence.workload: required, but host.access is none, so no host can be checked',
    ],
  ],
  [
    'evidence of something that is not named',
    ['healthcheck: {evidence: {capacity: required, reachability: required}}'],
    [
      '13:40: healthcheck.evidence.capacity: required, but healthcheck.idle_workers is not set, so there is nothing to check',
      '13:64: healthcheck.evidence.reachability: required, but healthcheck.reach is not set, so there is nothing to check',
    ],
  ],
  [
    'every kind of evidence off',
    ['canary: {kind: off}', 'healthcheck:', '  evidence: {instance: off, manager: off, host: off}'],
    [
      '15:42: healthcheck.evidence.manager: every kind of evidence is off, so no candidate could become healthy',
    ],
  ],
  [
    'killing jobs on a host without access',
    ['host: {access: none}', 'drain: {force_after: 1h}'],
    ['14:26: drain.force_after: killing jobs needs host.access run_command'],
  ],
  [
    'a bake that ends before it is over',
    ['bake: {for: 2h, at_most: 1h}'],
    ['13:30: bake.at_most: 1h is shorter than bake.for (2h); write bake.for or more'],
  ],
  [
    'a bake longer than the usual end',
    ['bake: {for: 8h}'],
    ['12:3: bake.at_most: 6h is shorter than bake.for (8h); write bake.for or more'],
  ],
  [
    'a bake whose verdict has no effect',
    ['bake: {for: 30m, on_unhealthy: "off"}'],
    [
      '13:36: bake.on_unhealthy: off, but bake.for is set, so the bake would have no effect; write report, hold or rollback',
    ],
  ],
  [
    'a rollback without a bake',
    ['bake: {on_unhealthy: rollback}'],
    [
      '13:26: bake.on_unhealthy: rollback needs bake.for, the duration of the bake; write bake.for: 30m',
    ],
  ],
  [
    'signals that are unavailable',
    [
      'canary: {kind: off}',
      'healthcheck: {evidence: {instance: off, manager: off, host: off, observe: required}}',
      'bake: {for: 30m, signals: {health: required, canary: required}}',
    ],
    [
      '14:54: healthcheck.evidence.manager: every kind of evidence is off, so no candidate could become healthy',
      '15:40: bake.signals.health: required, but every kind of evidence except canary and observe is off, so there is nothing to check; write off',
      '15:58: bake.signals.canary: required, but canary.kind is off, so there is no canary to run; write off',
    ],
  ],
  [
    'the same shard twice',
    ['shards: [pink, pink]'],
    ['13:13: shards: the two shards must differ, found "pink" twice'],
  ],
];

describe('keys that contradict each other', () => {
  test.each(refused)('cause an error: %s', async (_name, lines, problems) => {
    expect(await problemsOf({ text: withKeys(...lines) })).toEqual(
      problems.map((problem) => `hosted-runners.yml:${problem}`),
    );
  });
});
