import { stageNames } from '../../src/domain/deployment/stages-and-steps.ts';
import { refuseStage } from '../../src/stages/run/refuse-stage.ts';
import type { Refuse } from '../../src/stages/run/session.ts';
import type { Command } from './drive.ts';

/** What each command refuses before it takes the lock, as the program wires it. */
export function refusalOf(command: Command): Refuse | undefined {
  if (command === 'deploy')
    return (context, free) => refuseStage(context, free, { stage: 'prepare' });
  if (command === 'provision --until healthy')
    return (context, free) => refuseStage(context, free, { stage: 'provision', until: 'healthy' });
  if (command === 'provision --until promoted')
    return (context, free) => refuseStage(context, free, { stage: 'provision', until: 'promoted' });
  const stage = stageNames.find((name) => name === command);
  return stage === undefined ? undefined : (context, free) => refuseStage(context, free, { stage });
}
