import { capital } from '../domain/text/capital.ts';
import { formatMinute } from '../domain/text/duration.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { DeployError, needsOperator } from './deploy-error.ts';

/** Errors about the state in Parameter Store. One function per code. */

export function contradiction(facts: {
  runner: string;
  reason: string;
  table: string;
  activate?: string;
  accepting?: readonly string[];
  /** Shard that was reopened first, because no shard was verified. */
  opened?: string;
  /** Status that the record expects; set if no shard can be made to accept jobs. */
  undo?: { readonly parameter: string; readonly value: string };
}): DeployError {
  const { activate: named, accepting = [], opened, undo } = facts;
  const activate = (shard: string) => ({
    command: 'activate',
    runner: facts.runner,
    more: inShell`--shard ${shard}`,
  });
  return new DeployError({
    code: 'FactsContradict',
    what: `The deployment record, the active-shard parameter and the observed state of ${facts.runner} contradict each other; ${opened === undefined ? 'no shard was touched' : `${opened} was reopened because no shard was verified, and nothing else was touched`}.`,
    why: [`${capital(facts.reason)}.`, facts.table],
    fix: [
      ...(named === undefined
        ? []
        : [
            { text: `${capital(named)} is verified; make it the active shard`, ...activate(named) },
          ]),
      ...accepting.map((shard) => ({ text: `If ${shard} should accept jobs`, ...activate(shard) })),
      ...(named !== undefined || accepting.length > 0 || undo === undefined
        ? []
        : [
            inShell`Undo the edit: aws ssm put-parameter --overwrite --name ${undo.parameter} --value ${undo.value}`,
          ]),
      { text: 'Check both shards', command: 'status', runner: facts.runner },
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
    what: `The deployment record of ${facts.runner} cannot be read: ${facts.reason}.`,
    why: [
      `The record is stored in ${facts.parameter}. The history of this parameter has earlier values.`,
    ],
    fix: [
      `Find the last valid value: ${historyCommand(facts.parameter)}`,
      inShell`Then write this value back: aws ssm put-parameter --overwrite --name ${facts.parameter} --value …`,
    ],
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
    what: `The deployment record of ${facts.runner} has schema version ${facts.schema}; this release supports version ${facts.known}.`,
    why: [`A newer hosted-runner wrote ${facts.parameter}.`],
    fix: ['Run the version of hosted-runner that wrote the record, or a newer one.'],
  });
}

export function foreignWrite(facts: {
  parameter: string;
  written: string;
  found: string;
  version: number;
}): DeployError {
  return new DeployError({
    code: 'ForeignWrite',
    what: `Another writer changed ${facts.parameter} while this stage ran, so this stage stopped.`,
    why: [
      `Value of this run: ${facts.written}`,
      `Value of the other writer (version ${facts.version} in the history): ${facts.found}`,
    ],
    fix: [`Find the other writer: ${historyCommand(facts.parameter)}`],
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
    what: `${facts.runner} has been on hold since ${formatMinute(facts.since)}, by ${facts.who}. Reason: ${facts.why}`,
    why: ['A hold stops every stage before its next change; a running drain continues.'],
    fix: [{ text: 'When the reason no longer applies', command: 'release', runner: facts.runner }],
  });
}

export function superseded(facts: { runner: string; stage: string; reason: string }): DeployError {
  return new DeployError({
    code: 'PipelineSuperseded',
    what: `A newer deployment of ${facts.runner} supersedes this pipeline; ${facts.stage} did nothing.`,
    why: [`${capital(facts.reason)}.`],
    fix: ['Start a new pipeline to deploy again.'],
  });
}

/** @param facts.retires only a retirement is left of it, which any pipeline may finish */
export function busyElsewhere(facts: {
  runner: string;
  again: string;
  reason: string;
  retires: boolean;
  /** Whether it has made no progress for so long that no pipeline is expected to finish it. */
  isOld?: boolean;
  /** Set if the other deployment waits for an approval, with its pipeline's URL if recorded. */
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
          { text: 'Finish that deployment', command: 'finalize', runner: facts.runner },
          { text: 'Then run this again', ...again },
        ]
      : waits
        ? [formatApproval(facts.approval), { text: 'Then run this again', ...again }]
        : [{ text: 'Once that pipeline has ended or been cancelled, run', ...again }],
  });
  return facts.isOld === true || waits ? needsOperator(error) : error;
}

function formatApproval({ pipelineUrl }: { readonly pipelineUrl?: string } = {}): string {
  const url = pipelineUrl === undefined ? '' : ` (${pipelineUrl})`;
  return `Approve the promote job of that pipeline${url}, or cancel the pipeline.`;
}

export function notPrepared(facts: {
  runner: string;
  stage: string;
  reason: string;
  /** Whether an operator typed it: one command is then simpler than each stage. */
  isTyped?: boolean;
  /** Assignment before the command: a shell variable would name the old deployment again. */
  variable?: string;
}): DeployError {
  const { runner, isTyped = false, variable } = facts;
  const prefix = variable === undefined ? {} : { variable };
  return new DeployError({
    code: 'NotPrepared',
    what: `${facts.stage} found no deployment of the stack ${facts.runner}.`,
    why: [`${capital(facts.reason)}.`],
    fix: [
      isTyped
        ? { text: 'Start a deployment', command: 'deploy', runner, ...prefix }
        : { text: 'Start a deployment', command: 'prepare', runner },
      { text: 'Check both shards', command: 'status', runner },
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
    fix: [{ text: 'First run', command: facts.next, runner: facts.runner }],
  });
}

/** Formats a command that shows the last five versions and their writers. */
function historyCommand(parameter: string): string {
  return inShell`aws ssm get-parameter-history --name ${parameter} --query 'Parameters[-5:].[Version,LastModifiedUser,Value]'`;
}
