import type { RegistryWords } from '../../domain/registry-words.ts';
import { githubSigns } from './log-signs.ts';

export const githubWords: RegistryWords = {
  registry: 'GitHub',
  registration: 'fleet',
  record: 'fleet',
  manager: 'runner',
  managers: 'runners',
  tag: 'label',
  tags: 'labels',
  paused: 'closed',
  unpaused: 'open',
  pausing: 'Took the labels off',
  unpausing: 'Gave their labels back to',
  program: 'actions-runner',
  adopt: 'Register its runners in GitHub as {name}-INSTANCE',
  hasIds: false,
  refusalPasses: false,
  refused:
    'a token for registering ends after an hour, and a runner that was removed never comes back by itself',
  logSigns: githubSigns,
};
