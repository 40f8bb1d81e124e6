import { key } from '../key.ts';
import { choice, duration, list, text } from '../values.ts';

const path = text('a path without control characters', /^[^\u0000-\u001f\u007f-\u009f]{1,1000}$/);
const assignment = text(
  'an assignment such as name=value',
  /^[A-Za-z_][A-Za-z0-9_.-]{0,199}=[^\u0000-\u001f\u007f]{0,4000}$/,
);
const tagKey = text('the key of a tag', /^(?!aws:)[A-Za-z0-9_.:/=+@-]{1,128}$/);

/** Keys of `infrastructure` that driver terraform reads. */
export const terraformKeys = {
  directory: key('infrastructure.directory', path, {
    description:
      'The directory that Terraform runs in. {shard} and {runner_name} are filled in. With driver terraform, and only then.',
    otherwise: 'none',
    pipeline: true,
  }),
  binary: key('infrastructure.binary', choice(['terraform', 'tofu']), {
    default: 'terraform',
    description: 'Terraform from 1.5 or OpenTofu from 1.6, found on PATH. With driver terraform.',
  }),
  backendConfig: key(
    'infrastructure.backend_config',
    list('a list such as ["key={runner_name}/{shard}.tfstate"]', assignment),
    {
      default: [],
      description:
        'Settings of the backend, as -backend-config takes them. {shard} and {runner_name} are filled in. With driver terraform.',
    },
  ),
  workspace: key(
    'infrastructure.workspace',
    text('the name of a workspace', /^(?:[A-Za-z0-9_.-]|\{shard\}|\{runner_name\}){1,90}$/),
    {
      description:
        'Workspace of the shard, created where it is missing. {shard} and {runner_name} are filled in. With driver terraform.',
      otherwise: 'none; the state is told apart by backend_config or directory',
    },
  ),
  varFiles: key('infrastructure.var_files', list('a list of paths', path), {
    default: [],
    description:
      'Files of variables, seen from the directory. {shard} and {runner_name} are filled in. With driver terraform.',
  }),
  variables: key('infrastructure.variables', list('a list such as ["shard={shard}"]', assignment), {
    default: ['shard={shard}', 'runner_name={runner_name}'],
    description:
      'Variables of the root module. {shard} and {runner_name} are filled in. No secrets: they are seen in the list of processes. With driver terraform.',
  }),
  lockTimeoutMs: key('infrastructure.lock_timeout', duration({ min: '1s', max: '1d' }), {
    default: '5m',
    description: 'How long a lock of the state is waited for. With driver terraform.',
  }),
  ownNames: key(
    'infrastructure.own_names',
    list(
      'a list such as ["{shard}-{runner_name}-*"]',
      text('a name with {shard} in it', /^[a-z0-9{}_-]*\{shard\}-[a-z0-9{}_-]{1,200}\*?$/),
    ),
    {
      default: [],
      description:
        "Names of the shard besides {shard}-{runner_name}, for the plan guard; a star at the end stands for anything. Without it {shard}-{runner_name}-x is another stack's. With driver terraform.",
    },
  ),
  stackTag: key('infrastructure.stack_tag', tagKey, {
    default: 'hosted-runner:stack',
    description:
      'Key of the tag whose value is the runner_name. The plan guard refuses another value, the sweep looks for it.',
  }),
  shardTag: key('infrastructure.shard_tag', tagKey, {
    default: 'hosted-runner:shard',
    description:
      'Key of the tag whose value is the shard. The plan guard refuses another value, the sweep looks for it.',
  }),
};
