import { key } from './key.ts';
import { terraform } from './sections/terraform.ts';
import { argv, choice, duration, durationOrNone, flag, list, text, whole } from './values.ts';

const printableText = (most: number) =>
  new RegExp(`^[^\\u0000-\\u001f\\u007f-\\u009f]{1,${most}}$`);
const argument = text('a word without control characters', /^[^\u0000-\u001f\u007f]{0,4096}$/);
const command = argv(
  'a list of words such as ["./deploy", "{shard}"] (no shell reads it)',
  argument,
);
const id = whole('a number', { min: 1, max: 2_147_483_647 });

export const registration = {
  'registration.scope': key(choice(['instance', 'group', 'project']), {
    description: 'Whose jobs the runner takes.',
    required: true,
    only: 'gitlab',
  }),
  'registration.group_id': key(id, {
    description: "The group's number. With scope group, and only then.",
    otherwise: 'none',
  }),
  'registration.project_id': key(id, {
    description: "The project's number. With scope project, and only then.",
    otherwise: 'none',
  }),
  'registration.tags': key(
    list(
      'a list of tags',
      text(
        'a tag without spaces, commas and control characters that does not begin with "canary-"',
        /^(?!canary-)[^\s,\u0000-\u001f\u007f-\u009f]{1,255}$/,
      ),
      { most: 49, refusal: 'expected at most 49 tags, because GitLab matches no job with 50' },
    ),
    {
      default: [],
      description: 'The production tags: what customers write in their jobs.',
    },
  ),
  'registration.run_untagged': key(flag(), {
    default: false,
    description: 'Whether it takes jobs without tags.',
  }),
  'registration.locked': key(flag(), {
    default: false,
    description: 'Whether a project runner is locked to its projects.',
  }),
  'registration.access_level': key(choice(['not_protected', 'ref_protected']), {
    default: 'not_protected',
    description: 'ref_protected: only jobs of protected branches and tags.',
  }),
  'registration.maximum_timeout': key(durationOrNone({ min: '10m', max: '30d' }), {
    default: 'none',
    description:
      'Longest time that a job may take on this runner. GitLab accepts no less than 10m.',
  }),
};

export const canary = {
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

export const infrastructure = {
  'infrastructure.driver': key(choice(['terraform', 'command']), {
    description:
      'What builds and destroys a shard. terraform: Terraform or OpenTofu in a directory; command: commands of your own.',
    otherwise: 'terraform; command where infrastructure.apply is given',
  }),
  ...terraform,
  'infrastructure.apply': key(command, {
    description:
      'Command that builds a shard, as a list of words. {shard} and {runner_name} are filled in; {shard} has to appear. With driver command, and only then.',
    otherwise: 'none',
  }),
  'infrastructure.destroy': key(command, {
    description:
      'Command that destroys a shard and succeeds where nothing is left of it. With driver command, and only then.',
    otherwise: 'none',
  }),
  'infrastructure.outputs': key(command, {
    description: 'Command that prints as JSON what exists of a shard. With driver command.',
    otherwise: 'none; only the hosts themselves are looked at',
  }),
  'infrastructure.working_directory': key(
    text('a path without control characters', printableText(1000)),
    {
      description: 'Where the commands run. With driver command.',
      otherwise: 'the current directory',
      pipeline: true,
    },
  ),
  'infrastructure.pass_environment': key(
    list(
      'a list of variable names',
      text('the name of a variable', /^[A-Za-z_][A-Za-z0-9_]{0,199}$/),
    ),
    {
      default: [],
      description:
        'Environment variables that Terraform or the commands may see besides PATH, HOME and the like and those of AWS.',
    },
  ),
  'infrastructure.timeout': key(duration({ min: '1s', max: '1d' }), {
    default: '1h',
    description: 'After this Terraform or a command is interrupted.',
    pipeline: true,
  }),
};

export const host = {
  'host.access': key(choice(['run_command', 'none']), {
    default: 'run_command',
    description: 'How the host is asked. none: only GitLab is asked, and a drain waits longer.',
  }),
  'host.kind': key(choice(['docker', 'systemd', 'actions_runner']), {
    description:
      "How the runner runs on its host. actions_runner: GitHub's as a systemd unit, with runners github and only then.",
    otherwise: 'docker; actions_runner with runners github',
  }),
  'host.name': key(text('the name of a container or unit', /^[A-Za-z0-9][A-Za-z0-9_.@-]{0,127}$/), {
    description: 'Name of the container or of the systemd unit.',
    otherwise: 'gitlab-runner; actions-runner with runners github',
  }),
  'host.wrapper': key(
    text(
      'none, or an address such as tcp://localhost:7777 or unix:///run/wrapper.sock',
      /^(?:none|tcp:\/\/(?:localhost|127\.0\.0\.1):\d{1,5}|unix:\/\/\/[A-Za-z0-9_][A-Za-z0-9_./-]{0,199})$/,
    ),
    {
      default: 'none',
      description:
        'Address on the host of the gRPC wrapper (gitlab-runner wrapper --grpc-listen), where the runner runs in one.',
    },
  ),
  'host.listen_port': key(whole('a port', { min: 1, max: 65_535 }), {
    default: 9252,
    description: "Port of the runner's listen_address on the host's loopback.",
  }),
};

export const bake = {
  'bake.on_unhealthy': key(choice(['off', 'report']), {
    default: 'off',
    description:
      "What becomes of a promoted shard that fails more customers' jobs than a good runner while the old one drains. report: it is said at once, with the command for the way back.",
    only: 'gitlab',
  }),
};

export const drain = {
  'drain.timeout': key(durationOrNone({ min: '1s', max: '30d' }), {
    default: 'none',
    description:
      'After this the stage ends in an error that lists the jobs, and the shard goes on draining. Nothing is destroyed.',
    pipeline: true,
  }),
  'drain.force_after': key(durationOrNone({ min: '30s', max: '30d' }), {
    default: 'none',
    description: 'After this the jobs that still run are killed.',
    pipeline: true,
  }),
  'drain.poll_of_runner': key(duration({ min: '100ms', max: '1h' }), {
    description:
      'Longer than one poll of the runner: its check_interval, or the 50s of a long poll. With runners github longer than the 60s after which GitHub gives a job once more.',
    otherwise: '55s; 90s with runners github',
  }),
  'drain.confirmation': key(duration({ min: '100ms', max: '1d' }), {
    default: '2m',
    description: 'How long GitLab alone has to say idle where the host cannot be asked.',
  }),
  'drain.poll': key(duration({ min: '100ms', max: '5m' }), {
    default: '1500ms',
    description:
      'How soon the end of the last job is noticed. While GitLab says that one runs, it takes one request.',
  }),
  'drain.service_poll': key(duration({ min: '100ms', max: '10m' }), {
    default: '1m',
    description:
      'How often the shard that stays is asked whether it serves while the other one is closed. Where it does not, the other one is opened again: the longest time without a runner is this and one look.',
  }),
};
