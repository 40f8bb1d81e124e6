import type { RecoveryMethod } from '../domain/deployment/recovery-methods.ts';
import type { RegistrationId } from '../domain/shard.ts';
import { badUsage } from '../errors/input-errors.ts';
import {
  exampleHint,
  findRunnerName,
  oneOrAll,
  readCommon,
  readReported,
  readReports,
  readStack,
  readStage,
  requireOption,
  type TypedCommand,
  whenGiven,
} from './option-values.ts';

// The functions below convert each command's options. The handlers' types follow from them.

export function readProvisionOptions(call: TypedCommand) {
  const until = call.given['until'] as 'promoted' | 'healthy' | undefined;
  return { ...readStage(call), ...whenGiven('until', until) };
}

/** Reads the options of `healthcheck`, which by default collects evidence until a verdict. */
export function readHealthcheckOptions(call: TypedCommand) {
  const { given } = call;
  const hasListen = given['listen'] !== undefined;
  const once = given['once'] === true;
  refuseAlone(call, 'shard', hasListen || once ? undefined : '--listen or --once');
  refuseAlone(call, 'every', hasListen && !once ? undefined : '--listen, and without --once');
  refuseAlone(call, 'allow-host', hasListen && !once ? undefined : '--listen, and without --once');
  return {
    ...readStage(call),
    ...whenGiven('listen', given['listen'] as { host: string; port: number } | undefined),
    ...whenGiven('allowedHosts', given['allowHost'] as readonly string[] | undefined),
    ...whenGiven('once', once ? (true as const) : undefined),
    ...whenGiven('shard', given['shard'] as string | undefined),
    ...whenGiven('everyMs', given['every'] as number | undefined),
  };
}

function refuseAlone({ given }: TypedCommand, flag: string, goesWith: string | undefined): void {
  const key = flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (given[key] === undefined || goesWith === undefined) return;
  throw badUsage({ what: `--${flag} requires ${goesWith}.`, fix: [exampleHint('healthcheck')] });
}

/** Reads the options of `finalize --all`. */
export function readFinalizeAllOptions(call: TypedCommand) {
  const { given } = call;
  const single = ['runner', 'deployment'].find((flag) => given[flag] !== undefined);
  if (single !== undefined)
    throw oneOrAll(`finalize cannot combine --${single} with --all.`, 'finalize');
  return { ...readCommon(call), ...readReports(call), takeLock: given['takeLock'] === true };
}

export function readStatusOptions(call: TypedCommand) {
  const { given } = call;
  const all = given['all'] === true;
  if (all && given['runner'] !== undefined)
    throw oneOrAll('status cannot combine --runner with --all.', 'status');
  return {
    ...readCommon(call),
    ...readReports(call),
    ...whenGiven('runnerName', all ? undefined : findRunnerName(call)),
    json: given['json'] === true,
    watch: given['watch'] === true,
    api: given['api'] === true,
  };
}

export function readDashboardOptions(call: TypedCommand) {
  const { given } = call;
  const once = given['once'] as string | undefined;
  if (once !== undefined && (given['port'] !== undefined || given['every'] !== undefined)) {
    throw badUsage({
      what: 'dashboard cannot combine --once with --port or --every, because --once writes a file.',
      fix: [exampleHint('dashboard')],
    });
  }
  return {
    ...readCommon(call),
    ...whenGiven('once', once),
    ...whenGiven('port', given['port'] as number | undefined),
    ...whenGiven('everyMs', given['every'] as number | undefined),
  };
}

export function readDoctorOptions(call: TypedCommand) {
  const { given } = call;
  const all = given['all'] === true;
  refuseTogether(all, given);
  return {
    ...readCommon(call),
    ...readReports(call),
    ...whenGiven('runnerName', all ? undefined : findRunnerName(call)),
    json: given['json'] === true,
    logs: given['logs'] === true,
    fix: given['fix'] === true,
    yes: given['yes'] === true,
  };
}

function refuseTogether(all: boolean, given: TypedCommand['given']): void {
  if (all && given['runner'] !== undefined)
    throw oneOrAll('The command doctor cannot combine --runner with --all.', 'doctor');
  if (all && given['fix'] === true) {
    throw badUsage({
      what: 'The command doctor cannot combine --fix with --all: it repairs one stack at a time.',
      fix: [{ command: 'doctor --fix', runner: 'NAME', wantsYes: true }],
    });
  }
}

export function readSetupOptions(call: TypedCommand) {
  const { given } = call;
  return {
    ...readCommon(call),
    ...whenGiven('runnerName', findRunnerName(call)),
    ...whenGiven('project', given['project'] as string | undefined),
    deploymentEnvironment: (given['environment'] as string | undefined) ?? 'hosted-runner',
    storeToken: given['storeToken'] === true,
    dryRun: given['dryRun'] === true,
    yes: given['yes'] === true,
  };
}

export function readRollbackOptions(call: TypedCommand) {
  return {
    ...readStage(call),
    ...whenGiven('reason', call.given['reason'] as string | undefined),
  };
}

export function readActivateOptions(call: TypedCommand) {
  return {
    ...readStage(call),
    shard: requireOption<string>(call, '--shard NAME'),
    ...whenGiven('registration', call.given['registration'] as RegistrationId | undefined),
  };
}

export function readHoldOptions(call: TypedCommand) {
  return { ...readReported(call), reason: requireOption<string>(call, '--reason TEXT') };
}

export function readRecoverOptions(call: TypedCommand) {
  const { given } = call;
  return {
    ...readStage(call),
    ...readMethod(call),
    addresses: (given['address'] as readonly string[] | undefined) ?? [],
    ...whenGiven('instance', given['instance'] as string | undefined),
    yes: given['yes'] === true,
  };
}

type Method = RecoveryMethod | 'auto';

function readMethod(call: TypedCommand): { method: Method; forceWhenNoneAccepts?: true } {
  const flag = '--method rerun|cleanup|replace|terminate|auto';
  if (call.given['althoughNothingServes'] !== true)
    return { method: requireOption<Method>(call, flag) };
  const method = (call.given['method'] as Method | undefined) ?? 'cleanup';
  if (method === 'rerun' || method === 'auto') {
    throw badUsage({
      what: `--although-nothing-serves requires --method cleanup, replace or terminate, not ${method}.`,
      fix: [exampleHint('recover')],
    });
  }
  return { method, forceWhenNoneAccepts: true };
}

export function readValidateOptions(call: TypedCommand) {
  const { json, online } = call.given;
  return {
    ...readCommon(call),
    ...whenGiven('json', json as true | undefined),
    ...whenGiven('online', online as true | undefined),
  };
}

export function readCheckDocumentOptions(call: TypedCommand) {
  return { ...readStack(call), ...whenGiven('output', call.given['output'] as string | undefined) };
}
