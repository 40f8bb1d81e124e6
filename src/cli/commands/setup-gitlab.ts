import { badUsage } from '../../errors/input-errors.ts';
import { readEnvironmentName, readProject } from '../arguments.ts';
import type { CommandDefinition } from '../command.ts';
import { colorOption, commonOptions, runnerOption } from '../command-options.ts';
import { readSetupOptions } from '../command-values.ts';

export const setupCommand: CommandDefinition = {
  name: 'setup',
  phrase: 'set what a CI template cannot set in the project that deploys',
  group: 'Getting started:',
  touchesNoRunner: true,
  options: [colorOption],
  examples: ['setup gitlab --dry-run', 'setup gitlab --project acme/runners'],
  inner: [
    {
      name: 'gitlab',
      phrase: 'show and set the settings of the GitLab project that deploys',
      options: [
        {
          flags: '--project <project>',
          description: 'path or id (default: project of the job, or of the git remote)',
          read: readProject,
        },
        { flags: '--dry-run', description: 'show the changes and change nothing' },
        {
          flags: '--store-token',
          description:
            'also store HOSTED_RUNNER_GITLAB_TOKEN of this terminal as a CI/CD variable (masked, hidden, protected)',
        },
        {
          flags: '--environment <name>',
          description: 'input environment of the templates (default: hosted-runner)',
          read: readEnvironmentName,
        },
        { flags: '--yes', description: 'do not prompt; required without a terminal' },
        runnerOption,
        ...commonOptions,
      ],
      examples: [
        'setup gitlab --dry-run',
        'setup gitlab --project acme/runners --store-token',
        'setup gitlab --runner linux --yes',
      ],
      run: async (call) => call.handlers.setup(readSetupOptions(call)),
    },
  ],
  async run() {
    throw badUsage({
      what: 'setup needs the name of the CI: gitlab.',
      fix: [{ text: 'Show its options', command: 'setup gitlab --help', isAlone: true }],
    });
  },
};
