import { z } from 'zod';
import { aws } from './aws-section.ts';
import { github } from './github-section.ts';
import { gitlabUrl } from './gitlab-url.ts';
import { healthcheck } from './healthcheck-section.ts';
import { key } from './key.ts';
import { shardPattern } from './names.ts';
import { canary, drain, host, infrastructure, registration } from './sections.ts';
import { choice, list, whole, words } from './values.ts';

/**
 * The one source of the file, the variables, the flags, the JSON Schema, the reference and the
 * inputs. No key is required here, because `defaults` and the environment may still give it.
 */
export const stackSchema = z
  .strictObject({
    runners: key(choice(['gitlab', 'github']).prefault('gitlab'), {
      description: 'Whose runners they are. github: self-hosted runners of GitHub.',
    }),
    gitlab: z.strictObject({
      url: key(gitlabUrl().optional(), {
        description: 'Address of GitLab, without /api/v4.',
        unit: 'url',
        otherwise: 'CI_SERVER_URL in GitLab CI',
        required: true,
        only: 'gitlab',
        pipeline: true,
      }),
    }),
    github,
    shards: key(
      list(
        'two names such as [pink, purple]',
        words('a name of 1 to 20 lower-case letters or digits', shardPattern),
      )
        .length(2, { error: 'expected exactly two shards' })
        .prefault(['pink', 'purple']),
      { description: 'Names of the two copies of the stack.', unit: 'words' },
    ),
    parameter_prefix: key(
      words(
        'a path such as /gitlab/dedicated/runner/{runner_name}/, with {runner_name} as one part and a slash at its end',
        /^(?!\/(?:[Aa][Ww][Ss]|[Ss][Ss][Mm]))(?:\/[A-Za-z0-9_.-]{1,100}){1,6}\/\{runner_name\}(?:\/[A-Za-z0-9_.-]{1,100}){0,6}\/$/,
      ).prefault('/gitlab/dedicated/runner/{runner_name}/'),
      {
        description:
          'Where in Parameter Store the status, the record, the lock and the tokens of a stack are.',
      },
    ),
    kms_key_id: key(
      words('a key id, key ARN or alias of KMS', /^[A-Za-z0-9:/_-]{1,500}$/).optional(),
      {
        description: 'KMS key that encrypts the runner tokens.',
        otherwise: "the account's alias/aws/ssm",
      },
    ),
    aws,
    registration,
    canary,
    infrastructure,
    host,
    managers: key(whole('a number', { min: 1, max: 50 }).prefault(1), {
      description: 'How many runner managers a shard has. Each of them has to prove itself.',
    }),
    healthcheck,
    drain,
  })
  .describe('One stack of runners.');

export type StackKeys = z.output<typeof stackSchema>;
