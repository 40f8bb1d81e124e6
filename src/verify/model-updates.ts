import type { Head } from './event-file-parser.ts';
import {
  type PortCall,
  parameterIn,
  type RemovalState,
  type RunnerState,
  readActive,
  readRecord,
  type WorldModel,
} from './world-model.ts';

/** Applies the observations and effects of a call to the model. */
export function applyCall(known: WorldModel, call: PortCall, head: Head): void {
  if (call.begins) return;
  const [port] = call.name.split('.');
  if (port === 'parameters') learnParameter(known, call, head);
  if (port === 'registry') learnRegistration(known, call, head);
  if (port === 'host' && call.name === 'host.list') learnHosts(known, call);
  if (call.name === 'registry.retireWorkers' && call.answered)
    known.removals.set(String(call.args[0]), (call.answer ?? []) as RemovalState[]);
  if (call.name === 'registry.listWorkers' && call.answered) learnWorkers(known, call);
  if (call.answered) learnDeath(known, call);
  if (call.name === 'instances.list') learnInstances(known, call);
  if (call.name === 'infrastructure.exists')
    known.exists.set(shardIn(call), call.answered ? String(call.answer) : 'unknown');
  if (call.name === 'infrastructure.destroy' && call.answered)
    known.exists.set(shardIn(call), 'destroyed');
  if (call.name === 'infrastructure.apply') known.exists.set(shardIn(call), 'present');
}

export function shardIn({ args }: PortCall): string {
  return String((args[0] as { shard?: unknown } | undefined)?.shard);
}

/** Value in the place of a removed shard's token. */
const retired = '(none: retired)';

function learnParameter(known: WorldModel, call: PortCall, head: Head): void {
  const { name, value } = parameterIn(call);
  const what = name.startsWith(head.prefix) ? name.slice(head.prefix.length) : name;
  const found = call.answer as { value?: string; version?: number; kind?: string } | undefined;
  if (call.name === 'parameters.find' && call.answered) {
    if (found === undefined || found.value === retired) known.absent.add(name);
    else known.absent.delete(name);
    if (what === 'deployment_status') learnStatus(known, found, head);
    if (what === 'deployment_record') learnRecord(known, found?.value, found?.version ?? 0);
  }
  if (call.name === 'parameters.findVersion' && call.answered && what === 'deployment_record')
    known.foreign ||= known.own && !known.recordTexts.includes(found?.value ?? '');
  if (call.name === 'parameters.remove' && call.answered) {
    known.absent.add(name);
    forgetFleet(known, what, head);
  }
  const isWrite = call.name === 'parameters.overwrite' || call.name === 'parameters.create';
  if (!isWrite || !(call.answered || call.mayHave) || found?.kind === 'taken') return;
  if (value === retired && call.answered) known.absent.add(name);
  else known.absent.delete(name);
  if (what === 'deployment_status')
    learnStatus(known, { value, version: found?.version ?? known.statusVersion + 1 }, head);
  if (what === 'deployment_record') {
    known.own = true;
    known.recordTexts = [value ?? '', ...known.recordTexts.slice(0, 1)];
    known.foreign = false;
    known.record = readRecord(value) ?? known.record;
    known.version = found?.version ?? known.version + 1;
  }
}

/** Removes a fleet: only its stored data makes a shard's runners one registration. */
function forgetFleet(known: WorldModel, what: string, { shards, runner }: Head): void {
  const shard = shards.find((one) => what === `${one}/runner_fleet`);
  if (shard === undefined) return;
  for (const [id, { description }] of known.registrations)
    if (description === `${shard}-${runner}`) known.registrations.set(id, { gone: true });
}

/** Notes a host that has ended, as the host or EC2 reports: it runs no job any more. */
function learnDeath(known: WorldModel, { name, args, answer }: PortCall): void {
  const host = String(args[0]);
  const response = (answer ?? {}) as { state?: string; process?: string; restarts?: boolean };
  const ended = response.process === 'stopped' || response.process === 'absent';
  if (name === 'instances.find' && response.state === 'terminated') known.dead.add(host);
  if (name === 'instances.find' && (answer ?? undefined) === undefined) known.missing.add(host);
  if (name === 'host.look' && ended && response.restarts === false) known.dead.add(host);
}

function learnWorkers(known: WorldModel, { answer }: PortCall): void {
  const { value } = (answer ?? {}) as { value?: unknown };
  if (!Array.isArray(value)) return;
  for (const { id, host_id: host } of value as { id?: number; host_id?: string }[])
    if (id !== undefined && host !== undefined) known.workers.set(id, host);
}

function learnStatus(
  known: WorldModel,
  found: { value?: string | undefined; version?: number } | undefined,
  head: Head,
): void {
  const version = found?.version ?? 0;
  if (version < known.statusVersion && found !== undefined) return;
  known.statusVersion = version;
  known.active = found === undefined ? undefined : readActive(found.value, head);
}

/** Notes a read of the record: an older version is only stale, a newer one is a foreign write. */
function learnRecord(known: WorldModel, text: string | undefined, version: number): void {
  if (known.own && version < known.version) return;
  // An identical text is the same write, which arrived twice.
  const isAgain = text !== undefined && known.recordTexts[0] === text;
  if (known.own && version > known.version && !isAgain) known.foreign = true;
  known.record = readRecord(text);
  known.version = version;
  if (!known.recordTexts.includes(text ?? '')) known.recordTexts = [text ?? ''];
}

function learnRegistration(known: WorldModel, call: PortCall, head: Head): void {
  const id = String(call.args[0]);
  const answer = call.answer as { kind?: string; value?: unknown; id?: string } | undefined;
  if (call.name === 'registry.listJobs') {
    if (!call.answered) known.jobs.set(id, 'unknown');
    else if (answer?.kind === 'absent') known.jobs.set(id, 0);
    else known.jobs.set(id, (answer?.value as unknown[] | undefined)?.length ?? 0);
  }
  if (!call.answered && !call.mayHave) return;
  const before = known.registrations.get(id) ?? { gone: false };
  switch (call.name) {
    case 'registry.find':
      known.registrations.set(
        id,
        answer?.kind === 'absent' ? { gone: true } : seen(answer?.value, head),
      );
      return;
    case 'registry.findByShard':
      forgetUnlisted(known, call, `${shardIn(call)}-${head.runner}`);
      for (const one of (call.answer ?? []) as { id: string }[])
        known.registrations.set(one.id, seen(one, head));
      return;
    case 'registry.create':
      if (answer?.id !== undefined)
        known.registrations.set(answer.id, { gone: false, contacted: false, production: false });
      return;
    case 'registry.route':
      known.registrations.set(id, { ...before, production: isProduction(call.args[1], head) });
      return;
    case 'registry.setIntake':
      known.registrations.set(id, { ...before, paused: call.args[1] === 'closed' });
      return;
    case 'registry.retire':
      if (call.answer !== 'busy') known.registrations.set(id, { gone: true });
  }
}

function forgetUnlisted(known: WorldModel, { answer, args }: PortCall, description: string): void {
  // The call's second argument is excluded from the response.
  const listed = new Set([...((answer ?? []) as { id: string }[]).map(({ id }) => id), args[1]]);
  for (const [id, one] of known.registrations)
    if (one.description === description && !listed.has(id))
      known.registrations.set(id, { ...one, unlisted: true });
}

function seen(value: unknown, head: Head): RunnerState {
  const { description, paused, contacted } = (value ?? {}) as Record<string, unknown>;
  return {
    gone: false,
    description: String(description),
    paused: paused === true,
    contacted: contacted === true,
    production: isProduction(value, head),
  };
}

interface Routing {
  readonly tags?: string[];
  readonly run_untagged?: boolean;
}

function isProduction(value: unknown, head: Head): boolean {
  const { tags = [], run_untagged: untagged } = (value ?? {}) as Routing;
  return untagged === true || (head.tags.length > 0 && head.tags.some((tag) => tags.includes(tag)));
}

function learnInstances(known: WorldModel, call: PortCall): void {
  const instances = (call.answered ? (call.answer ?? []) : []) as { id: string; state?: string }[];
  for (const { id, state } of instances) if (state === 'terminated') known.ended.add(id);
  const ended = instances.length > 0 && instances.every(({ state }) => state === 'terminated');
  if (ended) known.terminated.add(shardIn(call));
  else known.terminated.delete(shardIn(call));
}

function learnHosts(known: WorldModel, call: PortCall): void {
  const hosts = call.answered
    ? ((call.answer ?? []) as { id: string }[]).map(({ id }) => id)
    : 'unknown';
  known.hosts.set(shardIn(call), hosts);
}
