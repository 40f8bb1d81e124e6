import type { DeployError } from '../../src/errors/deploy-error.ts';
import { causeError, type TerraformTrouble } from '../../src/errors/terraform-causes.ts';
import * as terraform from '../../src/errors/terraform-errors.ts';

const place = { runner: 'linux', shard: 'purple', binary: 'terraform' };

const trouble: readonly TerraformTrouble[] = [
  'credentials',
  'clock',
  'role',
  'issuerUnknown',
  'regionInactive',
  'denied',
  'lock',
  'unreachable',
  'throttled',
  'issuer',
  'capacity',
  'subnet',
  'quota',
  'exists',
  'provider',
  'configuration',
  'version',
  'stale',
];

/** Errors from Terraform or OpenTofu, each once. */
export const terraformErrors: readonly DeployError[] = [
  terraform.terraformMissing({ ...place, binary: 'tofu' }),
  terraform.terraformTooOld({ ...place, version: '1.4.7', least: '1.5' }),
  terraform.directoryMissing({ ...place, directory: 'infra' }),
  terraform.stateShared({ ...place, setting: 'key=linux/purple.tfstate', found: 'no backend' }),
  terraform.stateLocked({
    ...place,
    lock: {
      id: '6f1c2a9e',
      owner: {
        who: 'deployer@runner-3',
        since: '2026-11-02T08:00:00Z',
        operation: 'apply',
      },
      reason: 'ConditionalCheckFailedException: The conditional request failed',
    },
    directory: 'infrastructure',
    dataDirectory: '.terraform/hosted-runner/linux-purple',
  }),
  terraform.stateLocked({
    ...place,
    lock: { reason: 'Workspace is already locked: linux-purple' },
    directory: 'infrastructure',
    dataDirectory: '.terraform/hosted-runner/linux-purple',
  }),
  terraform.planRefused({
    ...place,
    purpose: 'build',
    rows: [
      'aws_iam_role.x  update  it contains the name pink-linux, which belongs to the other shard',
    ],
  }),
  terraform.planChanged(place),
  ...trouble.map((kind) =>
    causeError(kind, {
      ...place,
      command: 'plan',
      words: ['"its own words"'],
      touched: false,
      isLockRequested: false,
    }),
  ),
  causeError('quota', {
    ...place,
    command: 'apply',
    words: ['"VcpuLimitExceeded: …"'],
    touched: true,
    isLockRequested: false,
  }),
];
