import { stageNames } from '../../deployment/stages-and-steps.ts';
import { key } from '../key.ts';
import { choice, converted, list, text } from '../values.ts';

/** prepare asks, so that its role is the one that it runs with. */
const laterStages = stageNames.filter((name) => name !== 'prepare').join('|');

export const awsKeys = {
  account: key('aws.account', text('an account id of twelve digits', /^\d{12}$/), {
    description: 'The AWS account that the stack lives in. Credentials of another one are refused.',
    otherwise: 'any; the account is printed',
  }),
  region: key('aws.region', text('a region such as eu-central-1', /^[a-z]{2}(?:-[a-z0-9]+)+-\d$/), {
    description: 'The region that the stack lives in. Calls to another one are refused.',
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
        "Roles of later stages, where they are not prepare's own: prepare asks IAM about these instead. A stage that is not named counts as one with prepare's role, promote and bake as well where no job runs them.",
    },
  ),
  sweep: key('aws.sweep', choice(['remove', 'report', 'off']), {
    default: 'remove',
    description:
      "What becomes of AWS resources that carry the stack's and a removed shard's tags and that its infrastructure left behind. remove: what is safe to remove is removed, and the rest ends the run with an error; report: it is listed; off: nobody looks.",
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
        "Names of the roles and instance profiles that a shard's infrastructure makes. AWS lists neither by tags, so that the sweep asks IAM for exactly these. Empty: IAM is not asked, as where it cannot be reached.",
    },
  ),
};

/** ARNs by the stage, from `cleanup=arn:…`. */
function readStageRoles(assignments: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    assignments.map((text) => [
      text.slice(0, text.indexOf('=')),
      text.slice(text.indexOf('=') + 1),
    ]),
  );
}
