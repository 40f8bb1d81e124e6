import { key } from '../key.ts';
import { choice, printableText, text } from '../values.ts';

export const canaryKeys = {
  'canary.kind': key(choice(['job', 'project', 'workflow', 'off']), {
    default: 'job',
    description:
      'Where the job runs that proves the candidate. job: a visible job of the same pipeline; project: a pipeline of a project of its own; workflow: a run of a workflow of GitHub, with runners github; off: none.',
  }),
  'canary.job_name': key(text('a job name of 1 to 255 printable characters', printableText(255)), {
    default: 'hosted_runner_canary',
    description: 'Name of the canary job. With kind job.',
  }),
  'canary.project': key(
    text(
      'a number or path such as group/canary',
      /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/,
      { most: 255, refusal: 'expected a path of at most 255 characters' },
    ),
    {
      description:
        'The canary project, or the repository (owner/name) of the canary workflow. With kind project or workflow, and only then.',
      otherwise: 'none; with kind workflow and github.repository that repository',
    },
  ),
  'canary.ref': key(text('a branch or tag', /^(?!-)(?!.*\.\.)[A-Za-z0-9_./+@#-]{1,255}$/), {
    default: 'main',
    description: 'Branch of the canary project. With kind project or workflow.',
  }),
  'canary.workflow': key(
    text(
      'the file name of a workflow, such as hosted-runner-canary.yml',
      /^[A-Za-z0-9_.-]{1,200}\.ya?ml$/,
    ),
    {
      default: 'hosted-runner-canary.yml',
      description:
        'File of the canary workflow, with workflow_dispatch and the inputs canary_label and canary_id. With kind workflow.',
    },
  ),
  'canary.input': key(text('the name of an input', /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/), {
    default: 'canary_tag',
    description:
      'Pipeline input of the canary project that receives the tag; before GitLab 17.10 a variable of that name. With kind project.',
  }),
};
