import { stageNames } from '../../src/domain/deployment/stages-and-steps.ts';
import type { Refuse } from '../../src/stages/run/session.ts';
import { judgeStage, type StageRequest } from '../../src/stages/run/stage-refusals.ts';
import type { Command } from './drive.ts';

/** Returns the checks with which the program refuses a command before the lock. */
export function refusalOf(command: Command): Refuse | undefined {
  const request = requestOf(command);
  if (request === undefined) return undefined;
  return (context) => judgeStage(context, request, { isLocked: false });
}

function requestOf(command: Command): StageRequest | undefined {
  if (command === 'deploy') return { stage: 'prepare' };
  if (command === 'provision --until healthy') return { stage: 'provision', until: 'healthy' };
  if (command === 'provision --until promoted') return { stage: 'provision', until: 'promoted' };
  const stage = stageNames.find((name) => name === command);
  return stage === undefined ? undefined : { stage };
}
