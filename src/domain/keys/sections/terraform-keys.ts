import { key } from '../key.ts';
import { choice, duration, list, text } from '../values.ts';

const path = text('a path without control characters', /^[^\u0000-\u001f\u007f-\u009f]{1,1000}$/);
const assignment = text(
  'an assignment such as name=value',
  /^[A-Za-z_][A-Za-z0-9_.-]{0,199}=[^\u0000-\u001f\u007f]{0,4000}$/,
);
const tagKey = text('the key of a tag', /^(?!aws:)[A-Za-z0-9_.:/=+@-]{1,128}$/);

/** Keys of `infrastructure` for the `terraform` driver. */
export const terraformKeys = {
  directory: key('infrastructure.directory', path, {
    description:
      'Directory in which Terraform runs (may contain {shard} and {runner_name}). Required with driver terraform.',
    otherwise: 'none',
    pipeline: true,
  }),
  binary: key('infrastructure.binary', choice(['terraform', 'tofu']), {
    default: 'terraform',
    description:
      'Program on PATH: Terraform (1.5 or later) or OpenTofu (1.6 or later). Only with driver terraform.',
  }),
  backendConfig: key(
    'infrastructure.backend_config',
    list('a list such as ["key={runner_name}/{shard}.tfstate"]', assignment),
    {
      default: [],
      description:
        'Backend settings for -backend-config (may contain {shard} and {runner_name}). Only with driver terraform.',
    },
  ),
  workspace: key(
    'infrastructure.workspace',
    text('the name of a workspace', /^(?:[A-Za-z0-9_.-]|\{shard\}|\{runner_name\}){1,90}$/),
    {
      description:
        'Workspace of the shard, created if missing (may contain {shard} and {runner_name}). Only with driver terraform.',
      otherwise: 'none; then backend_config or directory must separate the states',
    },
  ),
  varFiles: key('infrastructure.var_files', list('a list of paths', path), {
    default: [],
    description:
      'Variable files, relative to the directory (may contain {shard} and {runner_name}). Only with driver terraform.',
  }),
  variables: key('infrastructure.variables', list('a list such as ["shard={shard}"]', assignment), {
    default: ['shard={shard}', 'runner_name={runner_name}'],
    description:
      'Variables of the root module (may contain {shard} and {runner_name}). Only with driver terraform, and not for secrets, because the process list shows them.',
  }),
  lockTimeoutMs: key('infrastructure.lock_timeout', duration({ min: '1s', max: '1d' }), {
    default: '5m',
    description: 'Time to wait for a lock of the state. Only with driver terraform.',
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
        'Names that the plan guard accepts besides {shard}-{runner_name}, with an optional star at the end. Only with driver terraform.',
    },
  ),
  stackTag: key('infrastructure.stack_tag', tagKey, {
    default: 'hosted-runner:stack',
    description:
      'Key of the tag with the runner_name as its value. The plan guard and the search for leftovers use it.',
  }),
  shardTag: key('infrastructure.shard_tag', tagKey, {
    default: 'hosted-runner:shard',
    description:
      'Key of the tag with the shard as its value. The plan guard and the search for leftovers use it.',
  }),
};
