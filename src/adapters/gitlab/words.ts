import type { RegistryWords } from '../../domain/registry-words.ts';
import { gitlabSigns, otherSilence, silenced } from './log-signs.ts';

export const gitlabWords: RegistryWords = {
  registry: 'GitLab',
  registration: 'runner',
  record: 'runner record',
  manager: 'manager',
  managers: 'managers',
  tag: 'tag',
  tags: 'tags',
  paused: 'paused',
  unpaused: 'un-paused',
  pausing: 'Paused',
  unpausing: 'Un-paused',
  program: 'gitlab-runner',
  // The first that sends a system id, so that each manager is a row of its own.
  oldestProgram: '15.8',
  adopt: 'Give that runner alone its description in GitLab, {name}',
  hasIds: true,
  // A runner cannot tell the 403 of a maintenance mode (GitLab up to 18.2) from that of a dead token.
  refusalPasses: true,
  refused:
    "GitLab's maintenance mode looks the same to a runner and passes, a dead token does not; three refusals silence a runner for an hour (unhealthy_interval), or until its configuration is loaded again",
  logSigns: gitlabSigns,
  silenced,
  otherSilence,
};
