import { capital } from '../domain/text/capital.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError, needsOperator } from './deploy-error.ts';

/** Errors about our own state in Parameter Store. One function a code. */

export function contradiction(facts: {
  runner: string;
  reason: string;
  table: string;
  activate?: string;
  serving?: readonly string[];
  /** Opened again first, as no shard was proven to serve. */
  opened?: string;
  /** What the record expects of the status; told where no shard can be made to serve. */
  undo?: { readonly parameter: string; readonly value: string };
}): DeployError {
  const { activate: named, serving = [], opened, undo } = facts;
  const activate = (shard: string) => ({
    command: 'activate',
    runner: facts.runner,
    more: inShell`--shard ${shard}`,
  });
  return new DeployError({
    code: 'FactsContradict',
    what: `Record, status and reality of ${facts.runner} contradict each other; ${opened === undefined ? 'no shard was touched' : `${opened} was opened again, as no shard was proven to serve, and nothing else was touched`}.`,
    why: [`${capital(facts.reason)}.`, facts.table],
    fix: [
      ...(named === undefined
        ? []
        : [{ say: `${capital(named)} is proven to serve; make that whole`, ...activate(named) }]),
      ...serving.map((shard) => ({ say: `If ${shard} is to serve`, ...activate(shard) })),
      ...(named !== undefined || serving.length > 0 || undo === undefined
        ? []
        : [
            inShell`Undo the edit: aws ssm put-parameter --overwrite --name ${undo.parameter} --value ${undo.value}`,
          ]),
      { say: 'Look at both shards', command: 'status', runner: facts.runner },
    ],
  });
}

export function recordInvalid(facts: {
  runner: string;
  reason: string;
  parameter: string;
}): DeployError {
  return new DeployError({
    code: 'RecordInvalid',
    what: `The record of ${facts.runner} cannot be read: ${facts.reason}.`,
    why: [`It is the parameter ${facts.parameter}; earlier values are in its history.`],
    fix: [`See what it was: ${historyCommand(facts.parameter)}`],
  });
}

export function recordNewer(facts: {
  runner: string;
  schema: number;
  known: number;
  parameter: string;
}): DeployError {
  return new DeployError({
    code: 'RecordFromNewerVersion',
    what: `The record of ${facts.runner} has schema version ${facts.schema}, this program knows ${facts.known}.`,
    why: [`A newer hosted-runner wrote ${facts.parameter}.`],
    fix: ['Run the newer version that wrote it.'],
  });
}

export function foreignWrite(facts: {
  parameter: string;
  ours: string;
  theirs: string;
  version: number;
}): DeployError {
  return new DeployError({
    code: 'ForeignWrite',
    what: `Somebody else wrote ${facts.parameter} while this stage ran; nothing more is touched.`,
    why: [
      `We wrote: ${facts.ours}`,
      `Theirs, version ${facts.version} in its history: ${facts.theirs}`,
    ],
    fix: [`See both: ${historyCommand(facts.parameter)}`],
  });
}

export function held(facts: {
  runner: string;
  who: string;
  why: string;
  since: string;
}): DeployError {
  return new DeployError({
    code: 'Held',
    what: `${facts.runner} is held by ${facts.who} since ${facts.since}: ${facts.why}`,
    why: ['A hold stops every stage before its next effect; a drain that already runs goes on.'],
    fix: [{ say: 'When the reason is gone', command: 'release', runner: facts.runner }],
  });
}

export function superseded(facts: { runner: string; stage: string; reason: string }): DeployError {
  return new DeployError({
    code: 'PipelineSuperseded',
    what: `This pipeline is superseded by a newer deployment of ${facts.runner}; ${facts.stage} did nothing.`,
    why: [`${capital(facts.reason)}.`],
    fix: ['Start a new pipeline to deploy again.'],
  });
}

/** @param facts.retires whether what is left of it is a retirement, which anybody may finish */
export function busyElsewhere(facts: {
  runner: string;
  again: string;
  reason: string;
  retires: boolean;
  /** Whether it has made no progress for so long that no pipeline is expected to finish it. */
  isOld?: boolean;
  /** Present if the other deployment waits for an approval, with its pipeline's URL if recorded. */
  approval?: { readonly pipelineUrl?: string } | undefined;
}): DeployError {
  const again = { again: facts.again, runner: facts.runner };
  const waits = facts.approval !== undefined;
  const error = new DeployError({
    code: 'DeploymentBusy',
    what: `Another deployment of ${facts.runner} ${waits ? 'waits for an approval' : 'is not finished'}.`,
    why: [`${capital(facts.reason)}.`],
    fix: facts.retires
      ? [
          { say: 'Finish what is left of it', command: 'finalize', runner: facts.runner },
          { say: 'Then run this again', ...again },
        ]
      : waits
        ? [formatApproval(facts.approval), { say: 'Then run this again', ...again }]
        : [{ say: 'Run this again once its pipeline has ended or was cancelled', ...again }],
  });
  return facts.isOld === true || waits ? needsOperator(error) : error;
}

function formatApproval({ pipelineUrl }: { readonly pipelineUrl?: string } = {}): string {
  const where = pipelineUrl === undefined ? 'its pipeline' : `its pipeline, ${pipelineUrl}`;
  return `Approve it (its promote job) in ${where}, or cancel that pipeline.`;
}

export function notPrepared(facts: {
  runner: string;
  stage: string;
  reason: string;
  /** Whether a person types, whom one command serves better than each stage in turn. */
  isTyped?: boolean;
  /** Put before the command, so that a variable of the shell does not name the deployment again. */
  variable?: string;
}): DeployError {
  const { runner, isTyped = false, variable } = facts;
  const prefix = variable === undefined ? {} : { variable };
  return new DeployError({
    code: 'NotPrepared',
    what: `${facts.stage} has no deployment of ${facts.runner} to work on.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      isTyped
        ? { say: 'Begin one', command: 'deploy', runner, ...prefix }
        : { say: 'Begin one', command: 'prepare', runner },
      { say: 'Look at both shards', command: 'status', runner },
    ],
  });
}

export function outOfOrder(facts: {
  runner: string;
  stage: string;
  reason: string;
  next: string;
}): DeployError {
  return new DeployError({
    code: 'StageOutOfOrder',
    what: `${facts.stage} cannot run now; no shard was touched.`,
    why: [`${capital(facts.reason)}.`],
    fix: [{ say: 'Run first', command: facts.next, runner: facts.runner }],
  });
}

/** Its last five versions, and who wrote them. */
function historyCommand(parameter: string): string {
  return inShell`aws ssm get-parameter-history --name ${parameter} --query 'Parameters[-5:].[Version,LastModifiedUser,Value]'`;
}
