import { key } from '../key.ts';
import { argv, choice, duration, list, printableText, text } from '../values.ts';
import { terraformKeys } from './terraform-keys.ts';

const argument = text('a word without control characters', /^[^\u0000-\u001f\u007f]{0,4096}$/);
const command = argv(
  'a list of words such as ["./deploy", "{shard}"] (no shell reads it)',
  argument,
);

/** Keys of the `command` driver. */
const commandKeys = {
  apply: key('infrastructure.apply', command, {
    description:
      'Command that builds a shard, as a list of words with {shard} and optionally {runner_name}. Required with driver command, refused otherwise.',
    otherwise: 'none',
  }),
  destroy: key('infrastructure.destroy', command, {
    description:
      'Command that destroys a shard, and must also succeed if the shard no longer exists. Required with driver command, refused otherwise.',
    otherwise: 'none',
  }),
  outputs: key('infrastructure.outputs', command, {
    description:
      'Command that prints the existing resources of a shard as JSON. Only with driver command.',
    otherwise: 'none; only the hosts then show whether a shard exists',
  }),
  workingDirectory: key(
    'infrastructure.working_directory',
    text('a path without control characters', printableText(1000)),
    {
      description: 'Folder in which the commands run. Only with driver command.',
      otherwise: 'the current directory',
      pipeline: true,
    },
  ),
};

export const infrastructureKeys = {
  driver: key('infrastructure.driver', choice(['terraform', 'command']), {
    description:
      'Tool that builds and destroys a shard: terraform (Terraform or OpenTofu) or command (your own commands).',
    otherwise: 'terraform, or command if infrastructure.apply is set',
  }),
  terraform: terraformKeys,
  command: commandKeys,
  passEnvironment: key(
    'infrastructure.pass_environment',
    list(
      'a list of variable names',
      text('the name of a variable', /^[A-Za-z_][A-Za-z0-9_]{0,199}$/),
    ),
    {
      default: [],
      description:
        'Environment variables that Terraform or the commands receive in addition to common ones (PATH, HOME) and those of AWS.',
    },
  ),
  timeoutMs: key('infrastructure.timeout', duration({ min: '1s', max: '1d' }), {
    default: '1h',
    description: 'Time after which Terraform or a command is interrupted.',
    pipeline: true,
  }),
};
