import type { DiagnosisFacts } from '../../../domain/health/diagnosis.ts';
import type { Evidence, EvidenceKind } from '../../../domain/health/evidence.ts';
import { isPortFailure } from '../../../ports/failure.ts';
import type { StageContext } from '../../context/context.ts';
import { reportsOf, type Watch } from './watch.ts';

/** Reads the facts about an unhealthy shard. A fact whose source fails is left out. */
export async function readDiagnosisFacts(
  context: StageContext,
  watch: Watch,
  evidence: readonly Evidence[],
): Promise<DiagnosisFacts> {
  const open = (kind: EvidenceKind) =>
    evidence.find((one) => one.kind === kind && (one.state === 'missing' || one.state === 'bad'))
      ?.detail;
  const detail = <Name extends string>(name: Name, text: string | undefined) =>
    text === undefined ? {} : ({ [name]: text } as Record<Name, string>);
  return {
    missing: evidence.filter(({ state }) => state !== 'good').map(({ kind }) => kind),
    ...(await registrationFacts(context, watch)),
    ...(await instanceFacts(context, watch)),
    ...('unknown' in watch.hosts ? {} : { hosts: watch.hosts }),
    reports: reportsOf(watch).map(
      ({ id, process, log, clockOffMs, hostTimeMs, answeredSince }) => ({
        id,
        process,
        log,
        answeredSince,
        ...(clockOffMs === undefined ? {} : { clockOffMs }),
        ...(hostTimeMs === undefined ? {} : { hostTimeMs }),
        ...(watch.refusedTokens.has(id) ? { token: 'refused' as const } : {}),
      }),
    ),
    ...detail('workload', open('workload')),
    ...detail('capacity', open('capacity')),
    ...detail('unreachable', open('reachability')),
    ...canaryFacts(watch, evidence),
  };
}

/** Reads EC2 if Systems Manager lists too few instances. */
async function instanceFacts(
  { ports, settings }: StageContext,
  { shard, hosts }: Watch,
): Promise<Pick<DiagnosisFacts, 'instances'>> {
  const online = 'unknown' in hosts ? [] : hosts.filter(({ agent }) => agent === 'online');
  if (online.length >= settings.managers) return {};
  try {
    return { instances: await ports.instances.list({ runnerName: settings.runnerName, shard }) };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return {};
  }
}

async function registrationFacts(
  { ports, settings }: StageContext,
  { entry }: Watch,
): Promise<Pick<DiagnosisFacts, 'registration'>> {
  const id = entry.registration;
  if (id === undefined) return {};
  const isCanaryRequested = settings.healthcheck.evidence.canary !== 'off';
  try {
    const found = await ports.registry.find(id);
    if (found.kind === 'absent') return { registration: { id, state: 'absent' } };
    const { paused, tags } = found.value;
    const expectedTags =
      isCanaryRequested && settings.canary.kind !== 'off' ? [ports.canary.tag] : [];
    return { registration: { id, state: 'present', paused, tags, expectedTags } };
  } catch (error) {
    if (!isPortFailure(error)) throw error;
    return {};
  }
}

function canaryFacts(
  { canaryFailures, canaryDenied }: Watch,
  evidence: readonly Evidence[],
): Pick<DiagnosisFacts, 'canary'> {
  const found = evidence.find(({ kind }) => kind === 'canary');
  if (found === undefined || found.state === 'good') return {};
  if (canaryFailures > 0) return { canary: { kind: 'failed', reason: found.detail } };
  if (!canaryDenied) return {};
  return { canary: { kind: 'not_startable', reason: found.detail } };
}
