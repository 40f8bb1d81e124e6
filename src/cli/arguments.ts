import {
  deploymentIdPattern,
  runnerNamePattern,
  shardPattern,
} from '../domain/keys/name-patterns.ts';
import type { DeploymentId, RegistrationId, RunnerName, Shard } from '../domain/shard.ts';
import { parseDuration } from '../domain/text/duration.ts';
import type { Line } from '../domain/text/line-to-type.ts';
import { inShell } from '../domain/text/shell-quoting.ts';
import { show } from '../domain/text/show.ts';
import { badUsage } from '../errors/input-errors.ts';

/** Reads one argument and throws `BadUsage`; `from` is its flag or variable. */
type Reader<Value> = (text: string, from: string) => Value;

export const runnerNameRule = 'A name has 1 to 63 lower-case letters, digits and inner hyphens.';

export const readRunnerName: Reader<RunnerName> = (text, from) => {
  if (runnerNamePattern.test(text)) return text as RunnerName;
  throw badUsage({
    what: `${from} ${show(text)} is not the name of a stack.`,
    why: runnerNameRule,
    fix: [{ text: 'List the stacks and their names', command: 'status' }],
  });
};

/** Reads the name of a stack that may not exist yet. */
export const readNewRunnerName: Reader<RunnerName> = (text, from) => {
  if (runnerNamePattern.test(text)) return text as RunnerName;
  throw badUsage({
    what: `${from} ${show(text)} cannot be the name of a stack.`,
    why: runnerNameRule,
    fix: [givenBy(from, 'linux')],
  });
};

export const readShard: Reader<Shard> = (text, from) => {
  if (shardPattern.test(text)) return text as Shard;
  throw badUsage({
    what: `${from} ${show(text)} is not the name of a shard.`,
    why: 'A name has 1 to 20 lower-case letters or digits.',
    fix: [{ text: 'Show the shards of the stack', command: 'status' }],
  });
};

/** Accepts any word: the two shards of a stack are known only from its configuration. */
export const readShardName: Reader<string> = (text) => text;

export const readDeploymentId: Reader<DeploymentId> = (text, from) => {
  if (deploymentIdPattern.test(text)) return text as DeploymentId;
  throw badUsage({
    what: `${from} ${show(text)} is not the id of a deployment.`,
    why: 'An id has 1 to 200 letters, digits and the characters _ . / -, and starts with a letter or digit.',
    fix: [{ text: 'Show the id of the last deployment', command: 'status' }],
  });
};

export const readFilePath: Reader<string> = (text, from) => {
  if (/^[^\u0000-\u001f\u007f]{1,4096}$/.test(text)) return text;
  throw badUsage({ what: `${from} ${show(text)} is not a path.`, fix: [givenBy(from, 'FILE')] });
};

/** Returns the typed command with another value, or the variable as it is set in the shell. */
function givenBy(from: string, value: string): Line {
  if (!from.startsWith('--')) return inShell`export ${from}=${value}`;
  return { again: 'help', ofAny: true, instead: { flag: from, value } };
}

export const readAssignment: Reader<string> = (text, from) => {
  if (/^[a-z_]+(?:\.[a-z_]+)*=./s.test(text)) return text;
  // Shows no value: a token in the wrong flag must not be repeated.
  const [name = ''] = text.split('=');
  throw badUsage({
    what: `${from} ${show(name)} is not a key with a value.`,
    fix: [
      'Write a key of the configuration: --set drain.timeout=2h',
      'All keys: docs/use/configuration.md',
    ],
  });
};

export const readPort: Reader<number> = (text, from) => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw badUsage({
    what: `${from} ${show(text)} is not a port.`,
    why: 'A port is a number from 0 to 65535; 0 selects any free port.',
    fix: [givenBy(from, '0')],
  });
};

export const readSpeed: Reader<number> = (text, from) => {
  const speed = /^\d{1,3}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (speed >= 0.1 && speed <= 100) return speed;
  throw badUsage({
    what: `${from} ${show(text)} is not a speed.`,
    why: 'A speed is a number from 0.1 to 100; 2 is twice as fast.',
    fix: [givenBy(from, '2')],
  });
};

export const readReason: Reader<string> = (text, from) => {
  if (/^[^\u0000-\u001f\u007f-\u009f]{1,300}$/.test(text) && text.trim() !== '') return text;
  throw badUsage({
    what: `${from} ${show(text)} is not a reason.`,
    why: 'A reason is one line of at most 300 characters.',
    fix: [givenBy(from, 'AWS maintenance until noon')],
  });
};

export const readUrl: Reader<string> = (text, from) => {
  if (/^https?:\/\/[^\s\\@]+$/.test(text) && URL.canParse(text)) return text;
  throw badUsage({
    what: `${from} ${show(text)} is not a URL.`,
    fix: [givenBy(from, 'http://127.0.0.1:5000')],
  });
};

/** Accepts `127.0.0.1:8888` and `[::1]:8888`. A name could resolve to an unintended address. */
export const readListen: Reader<{ host: string; port: number }> = (text, from) => {
  const [, six, four, digits] =
    /^(?:\[([0-9a-f:]{2,39})\]|(\d{1,3}(?:\.\d{1,3}){3})):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? four;
  if (host !== undefined && digits !== undefined && Number(digits) <= 65_535)
    return { host, port: Number(digits) };
  throw badUsage({
    what: `${from} ${show(text)} is not an address to listen on.`,
    why: 'An address is an IP address and a port; 127.0.0.1 accepts requests from this machine only, 0.0.0.0 from all machines.',
    fix: [givenBy(from, '127.0.0.1:8888')],
  });
};

/** Accepts a DNS name. No wildcard: the operator must own each accepted name. */
export const readHostName: Reader<string> = (text, from) => {
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
  if (new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`, 'i').test(text))
    return text.toLowerCase();
  throw badUsage({
    what: `${from} ${show(text)} is not a host name.`,
    why: 'A host name has no scheme, no port and no wildcard.',
    fix: [givenBy(from, 'health.example.com')],
  });
};

export const readEvery: Reader<number> = (text, from) => {
  const durationMs = parseDuration(text) ?? 0;
  if (durationMs >= 1000 && durationMs <= 3_600_000) return durationMs;
  throw badUsage({
    what: `${from} ${show(text)} is not an interval.`,
    why: 'An interval is a duration from 1s to 1h.',
    fix: [givenBy(from, '30s')],
  });
};

export const readInstance: Reader<string> = (text, from) => {
  if (/^i-[0-9a-f]{8,17}$/.test(text)) return text;
  throw badUsage({
    what: `${from} ${show(text)} is not the id of an instance.`,
    why: 'An id is i- and 8 to 17 hexadecimal digits.',
    fix: [{ text: 'Show the instances of the stack', command: 'doctor' }],
  });
};

/** Accepts an address as `terraform state list` prints it. A flag of Terraform is no address. */
export const readAddress: Reader<string> = (text, from) => {
  if (/^[a-z_][A-Za-z0-9_.[\]"-]{0,499}$/.test(text)) return text;
  throw badUsage({
    what: `${from} ${show(text)} is not the address of a resource.`,
    why: 'Addresses are printed by terraform state list.',
    fix: [givenBy(from, 'aws_instance.runner_manager')],
  });
};

export const readRegistrationId: Reader<RegistrationId> = (text, from) => {
  if (/^[1-9]\d{0,14}$/.test(text)) return text as RegistrationId;
  throw badUsage({
    what: `${from} ${show(text)} is not the id of a runner.`,
    why: "An id is the number in the address of the runner's page.",
    fix: [{ text: 'Show the runners of the stack and their ids', command: 'status' }],
  });
};

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** Reads an argument that is no option. */
export function readShell(text: string): Shell {
  const found = shells.find((shell) => shell === text);
  if (found !== undefined) return found;
  throw badUsage({
    what:
      text === ''
        ? 'completion needs a shell: bash, zsh or fish.'
        : `There is no completion for the shell ${show(text)}.`,
    fix: [{ text: 'Name bash, zsh or fish', command: 'completion bash', isAlone: true }],
  });
}

export const readProject: Reader<string> = (text, from) => {
  if (/^(?:\d{1,18}|[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_.-]+)+)$/.test(text)) return text;
  throw badUsage({
    what: `${from} ${show(text)} is not the path or id of a project.`,
    fix: [givenBy(from, 'acme/runners')],
  });
};

export const readEnvironmentName: Reader<string> = (text, from) => {
  if (/^[A-Za-z0-9_./-]{1,200}$/.test(text)) return text;
  throw badUsage({
    what: `${from} ${show(text)} is not the name of an environment.`,
    why: 'A name has 1 to 200 letters, digits and the characters _ . / -.',
    fix: [givenBy(from, 'hosted-runner')],
  });
};
