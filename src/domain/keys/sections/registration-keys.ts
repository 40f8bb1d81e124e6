import { key } from '../key.ts';
import { choice, converted, durationOrNone, flag, list, text, whole } from '../values.ts';

const id = whole('a number', { min: 1, max: 2_147_483_647 });

export const registrationKeys = {
  scope: key('registration.scope', choice(['instance', 'group', 'project']), {
    description: 'Scope of the runner in GitLab.',
    required: true,
    only: 'gitlab',
  }),
  groupId: key('registration.group_id', id, {
    description: 'Id of the group. Required with scope group, refused otherwise.',
    otherwise: 'none',
  }),
  projectId: key('registration.project_id', id, {
    description: 'Id of the project. Required with scope project, refused otherwise.',
    otherwise: 'none',
  }),
  tags: key(
    'registration.tags',
    list(
      'a list of tags',
      text(
        'a tag of at most 255 characters, without spaces, commas and control characters, that does not begin with "canary-"',
        /^(?!canary-)[^\s,\u0000-\u001f\u007f-\u009f]{1,255}$/,
      ),
      { most: 49, refusal: 'expected at most 49 tags, because GitLab matches no job with 50' },
    ),
    {
      default: [],
      description: 'Production tags, which customers use in their jobs.',
    },
  ),
  runUntagged: key('registration.run_untagged', flag(), {
    default: false,
    description: 'Whether the runner accepts jobs without tags.',
  }),
  locked: key('registration.locked', flag(), {
    default: false,
    description: 'Whether a project runner is locked to its projects.',
  }),
  accessLevel: key('registration.access_level', choice(['not_protected', 'ref_protected']), {
    default: 'not_protected',
    description:
      'Access level of the runner. ref_protected allows only jobs of protected branches and tags.',
  }),
  maximumTimeoutSeconds: key(
    'registration.maximum_timeout',
    converted(durationOrNone({ min: '10m', max: '30d' }), (ms) =>
      ms === undefined ? undefined : Math.floor(ms / 1000),
    ),
    {
      default: 'none',
      description: 'Maximum duration of a job on this runner. GitLab requires at least 10m.',
    },
  ),
};
