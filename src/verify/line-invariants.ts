import type { EventFile, EventLine, RunLog } from './event-file-parser.ts';
import type { Judge } from './judge.ts';
import { callsOf, hasReached, parameterIn, readRecord } from './world-model.ts';

/** Patterns of secrets that are recognizable by their form alone. */
const secrets: readonly (readonly [string, RegExp])[] = [
  [
    'a GitLab token',
    /gl(?:rtr?|pat|ptt|dt|cbt|oas|ft|imt|agent|soat|ffct|wt)-[\w-]{10,}|GR1348941[\w-]{8,}/,
  ],
  ['a GitHub token', /gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}/],
  ['an AWS key', /(?:AKIA|ASIA|A3T[A-Z0-9])[A-Z0-9]{16}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['a signed token', /(?<![\w-])eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
];

export function checkSecrets({ text }: EventFile, tokens: readonly string[], judge: Judge): void {
  for (const [index, line] of text.split('\n').entries()) {
    const form = secrets.find(([, pattern]) => pattern.test(line))?.[0];
    const known = tokens.some((token) => token !== '' && line.includes(token));
    if (form !== undefined || known)
      judge.violated('S12', `line ${index + 1}: ${form ?? 'a token of the world'}`);
  }
  judge.countCheck('S12');
}

/** Checks the directions and switches of each deployment over all runs in the file. */
export function checkDirections({ runs }: EventFile, judge: Judge): void {
  const directions = new Map<string, string>();
  const switched = new Map<string, string>();
  let current = '';
  const calls = runs.flatMap((run) => callsOf(run).map((call) => ({ call, head: run.head })));
  for (const { call, head } of calls.sort((a, b) => a.call.line.place - b.call.line.place)) {
    if (head === undefined || call.begins || !call.name.startsWith('parameters.')) continue;
    const { name, value } = parameterIn(call);
    const answer = call.answer as { value?: string; kind?: string } | undefined;
    const line = `line ${call.line.place}`;
    if (name === `${head.prefix}deployment_record`) {
      const record = readRecord(value ?? answer?.value);
      if (record === undefined || (value !== undefined && !call.answered)) continue;
      current = `${head.runner} ${record.id}`;
      const direction = `${record.candidate} for ${record.retiring ?? 'nothing'}`;
      const known = directions.get(current) ?? direction;
      directions.set(current, known);
      judge.expect(
        'S5',
        known === direction,
        `${line}: ${record.id} is ${direction}, and was ${known}`,
      );
    }
    const isSwitch = name === `${head.prefix}deployment_status` && value !== undefined;
    if (!isSwitch || !call.answered || answer?.kind === 'taken') continue;
    const before = switched.get(current);
    switched.set(current, value);
    judge.expect('S5', before === undefined, `${line}: ${current} switched the status again`);
  }
}

/** Checks that `healthy` is based on good evidence of every required kind. */
export function checkVerdicts(run: RunLog, judge: Judge): void {
  const { head, lines } = run;
  const wants = head?.required.filter((kind) => kind !== 'canary' || !isOfPromoted(run)) ?? [];
  for (const { kind, fields, place } of lines) {
    if (kind !== 'evidence' || fields['verdict'] !== 'healthy') continue;
    const evidence = (fields['evidence'] ?? []) as { kind: string; state: string }[];
    // Customers' own jobs are observed separately, after the other evidence.
    const isObserved = evidence.length > 0 && evidence.every((one) => one.kind === 'observe');
    const required = wants.filter((kind) => (kind === 'observe') === isObserved);
    const lacking = required.filter(
      (wanted) => !evidence.some((one) => one.kind === wanted && one.state === 'good'),
    );
    judge.expect(
      'S11',
      lacking.length === 0,
      `line ${place}: healthy without ${lacking.join(', ')}`,
    );
  }
}

/**
 * Returns whether the run is a healthcheck of a shard that accepts customer jobs, which no canary
 * can match.
 */
function isOfPromoted(run: RunLog): boolean {
  if (run.head?.command.startsWith('healthcheck') !== true) return false;
  return callsOf(run).some((call) => {
    const { value } = (call.answer ?? {}) as { value?: string };
    return hasReached(readRecord(value)?.phase ?? '', 'promoting');
  });
}

/**
 * Checks that a run stops after a foreign write, shown by a version that is not the next one.
 * Versions between that repeat this run's own text are its own writes, which arrived twice.
 */
export function checkVersions(run: RunLog, judge: Judge): void {
  let version: number | undefined;
  let texts: readonly (string | undefined)[] = [];
  let broken: { line: EventLine; between: Set<number> } | undefined;
  for (const call of callsOf(run)) {
    const { name, value } = parameterIn(call);
    const isRecord = name === `${run.head?.prefix}deployment_record`;
    const answer = call.answer as { version?: number; value?: string } | undefined;
    if (broken !== undefined && isRecord && call.name === 'parameters.findVersion') {
      if (texts.includes(answer?.value)) broken.between.delete(Number(call.args[1]));
      if (broken.between.size === 0) broken = undefined;
    }
    if (call.begins && broken !== undefined && !name.endsWith('deployment_lock'))
      judge.violated(
        'S9',
        `line ${call.line.place}: an effect after a foreign write in line ${broken.line.place}`,
      );
    if (!isRecord || answer?.version === undefined || call.begins) continue;
    if (call.name === 'parameters.find') {
      version = Math.max(version ?? 0, answer.version);
      if (version === answer.version && answer.value !== texts[0]) texts = [answer.value];
    }
    if (call.name !== 'parameters.overwrite') continue;
    texts = [value, ...texts.slice(0, 1)];
    if (version === undefined || answer.version === version + 1) judge.countCheck('S13');
    else broken = { line: call.line, between: rangeBetween(version, answer.version) };
    version = answer.version;
  }
  if (broken !== undefined && run.end?.exitCode === 0)
    judge.violated(
      'S13',
      `line ${broken.line.place}: a foreign version was overwritten, but the run succeeded`,
    );
}

function rangeBetween(since: number, until: number): Set<number> {
  return new Set(Array.from({ length: Math.max(0, until - since - 1) }, (_, i) => since + 1 + i));
}

/** Returns whether the machine's clock jumped relative to elapsed time. */
export function clockJumped({ lines }: RunLog): boolean {
  const [first] = lines;
  if (first === undefined) return false;
  const start = Date.parse(first.at) - first.ms;
  return lines.some(({ at, ms }) => Math.abs(Date.parse(at) - ms - start) > 5000);
}
