import { key } from '../key.ts';
import { choice, printableText, text } from '../values.ts';

export const canaryKeys = {
  kind: key('canary.kind', choice(['job', 'project', 'workflow', 'off']), {
    default: 'job',
    description:
      'Location of the canary: job (same pipeline), project (pipeline of another project) or workflow (GitHub workflow run, only with runners github). off disables the canary.',
  }),
  jobName: key(
    'canary.job_name',
    text('a job name of 1 to 255 printable characters', printableText(255)),
    {
      default: 'hosted_runner_canary',
      description: 'Name of the canary job. Only with kind job.',
    },
  ),
  project: key(
    'canary.project',
    text(
      'a number or path such as group/canary',
      /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/,
      { most: 255, refusal: 'expected a path of at most 255 characters' },
    ),
    {
      description:
        'Project of the canary, or repository (owner/name) of the canary workflow. Only with kind project or workflow.',
      otherwise: 'none, or github.repository with kind workflow',
    },
  ),
  ref: key('canary.ref', text('a branch or tag', /^(?!-)(?!.*\.\.)[A-Za-z0-9_./+@#-]{1,255}$/), {
    default: 'main',
    description: 'Branch of the canary project. Only with kind project or workflow.',
  }),
  workflow: key(
    'canary.workflow',
    text(
      'the file name of a workflow, such as hosted-runner-canary.yml',
      /^[A-Za-z0-9_.-]{1,200}\.ya?ml$/,
    ),
    {
      default: 'hosted-runner-canary.yml',
      description:
        'File of the canary workflow, which needs workflow_dispatch and the inputs canary_label and canary_id. Only with kind workflow.',
    },
  ),
  input: key('canary.input', text('the name of an input', /^[A-Za-z_][A-Za-z0-9_-]{0,99}$/), {
    default: 'canary_tag',
    description:
      "Pipeline input (before GitLab 17.10: variable) that passes the canary's tag to the canary project. Only with kind project.",
  }),
};
