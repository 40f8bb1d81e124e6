import { stageNames } from '../../deployment/stages-and-steps.ts';
import { key } from '../key.ts';
import { choice, converted, list, text } from '../values.ts';

/**
 * Stages with a configurable role. `prepare` is not among them, because it checks permissions with
 * its own role.
 */
const laterStages = stageNames.filter((name) => name !== 'prepare').join('|');

export const awsKeys = {
  account: key('aws.account', text('an account id of twelve digits', /^\d{12}$/), {
    description: 'AWS account of the stack. Credentials of another account are refused.',
    otherwise: 'any; the account is printed',
  }),
  region: key('aws.region', text('a region such as eu-central-1', /^[a-z]{2}(?:-[a-z0-9]+)+-\d$/), {
    description: 'AWS region of the stack. Calls to another region are refused.',
    otherwise: 'any; the region is printed',
  }),
  stageRoles: key(
    'aws.stage_roles',
    converted(
      list(
        'a list such as ["cleanup=arn:aws:iam::111122223333:role/cleanup"]',
        text(
          'a stage and the ARN of its role, such as cleanup=arn:aws:iam::111122223333:role/cleanup',
          new RegExp(
            `^(?:${laterStages})=arn:aws[a-z-]*:iam::\\d{12}:role/[A-Za-z0-9+=,.@_/-]{1,500}$`,
          ),
        ),
      ),
      readStageRoles,
    ),
    {
      default: [],
      description:
        'Roles whose permissions prepare tests in IAM, each as STAGE=ARN for a later stage. A stage without an entry uses the role of prepare.',
    },
  ),
  sweep: key('aws.sweep', choice(['remove', 'report', 'off']), {
    default: 'remove',
    description:
      'Treatment of AWS resources that a removed shard left behind: remove (if safe, otherwise the run fails), report (list them) or off (no search).',
  }),
  roleNames: key(
    'aws.role_names',
    list(
      'a list such as ["{shard}-{runner_name}_runner-manager"]',
      text(
        'a name with {shard} and {runner_name} in it, such as {shard}-{runner_name}_runner-manager',
        /^(?=.*\{shard\})(?=.*\{runner_name\})[\w+=,.@{}-]{1,120}$/,
      ),
    ),
    {
      default: ['{shard}-{runner_name}_runner-manager'],
      description:
        "Names of the roles and instance profiles of a shard's infrastructure. The search for leftovers reads exactly these from IAM, and skips IAM if the list is empty.",
    },
  ),
};

/** Parses `cleanup=arn:…` into ARNs by stage. */
function readStageRoles(assignments: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    assignments.map((text) => [
      text.slice(0, text.indexOf('=')),
      text.slice(text.indexOf('=') + 1),
    ]),
  );
}
