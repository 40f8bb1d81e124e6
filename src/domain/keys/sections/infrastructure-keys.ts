import { key } from '../key.ts';
import { argv, choice, duration, list, printableText, text } from '../values.ts';
import { terraformKeys } from './terraform-keys.ts';

const argument = text('a word without control characters', /^[^\u0000-\u001f\u007f]{0,4096}$/);
const command = argv(
  'a list of words such as ["./deploy", "{shard}"] (no shell reads it)',
  argument,
);

/** Keys that driver command reads. */
const commandKeys = {
  apply: key('infrastructure.apply', command, {
    description:
      'Command that builds a shard, as a list of words. {shard} and {runner_name} are filled in; {shard} has to appear. With driver command, and only then.',
    otherwise: 'none',
  }),
  destroy: key('infrastructure.destroy', command, {
    description:
      'Command that destroys a shard and succeeds where nothing is left of it. With driver command, and only then.',
    otherwise: 'none',
  }),
  outputs: key('infrastructure.outputs', command, {
    description: 'Command that prints as JSON what exists of a shard. With driver command.',
    otherwise: 'none; only the hosts themselves are looked at',
  }),
  workingDirectory: key(
    'infrastructure.working_directory',
    text('a path without control characters', printableText(1000)),
    {
      description: 'Where the commands run. With driver command.',
      otherwise: 'the current directory',
      pipeline: true,
    },
  ),
};

export const infrastructureKeys = {
  driver: key('infrastructure.driver', choice(['terraform', 'command']), {
    description:
      'What builds and destroys a shard. terraform: Terraform or OpenTofu in a directory; command: commands of your own.',
    otherwise: 'terraform; command where infrastructure.apply is given',
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
        'Environment variables that Terraform or the commands may see besides PATH, HOME and the like and those of AWS.',
    },
  ),
  timeoutMs: key('infrastructure.timeout', duration({ min: '1s', max: '1d' }), {
    default: '1h',
    description: 'After this Terraform or a command is interrupted.',
    pipeline: true,
  }),
};
