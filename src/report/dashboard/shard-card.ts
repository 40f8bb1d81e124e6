import { formatService } from '../../domain/health/service-answers.ts';
import { counted } from '../../domain/text/count-text.ts';
import type { ShardReport } from '../../operator/shard-report.ts';
import type { StackReport } from '../../operator/status-report.ts';
import { type Content, element, type Markup } from '../drawing/elements.ts';
import { drawSwatch } from '../drawing/legend.ts';
import type { DrawnState } from '../drawing/picture.ts';
import { stateLabels } from '../drawing/state-labels.ts';
import { isWebAddress } from '../links.ts';
import { stateAt } from '../picture-of-run.ts';
import { formatAge, formatDate } from '../time-text.ts';

const mostShown = 50;

/** Draws one shard: its state, whether it accepts jobs and why, its parts and its jobs. */
export function drawShard(shard: ShardReport, report: StackReport, now: number): Markup {
  const { service } = shard;
  const words = report.registry;
  return element('article', { class: 'shard-card' }, [
    element('h3', {}, [shard.shard, ...drawState(cardState(shard, report))]),
    facts([
      ['accepts jobs', [formatService(service.verdict, shard.registrations)]],
      ['why', [service.reason]],
      ['role', [shard.role]],
      [words.registration, registrations(shard, words.paused)],
      [words.managers, managers(shard, now)],
      ['hosts', hosts(shard)],
      ['built', [when(shard.applied_at, now)]],
      ['verified healthy', [when(shard.proven_at, now)]],
      ...unhealthy(shard),
      ...drain(shard, report, now),
      ['jobs', jobs(shard, now)],
      ...endings(shard),
    ]),
  ]);
}

export type Fact = readonly [string, readonly Content[]];

export function facts(entries: readonly Fact[]): Markup {
  return element(
    'dl',
    {},
    entries.flatMap(([name, content]) => [element('dt', {}, [name]), element('dd', {}, content)]),
  );
}

/** Returns the state from the record, as the timeline of a run shows it. */
function cardState(
  { shard, registrations: found }: ShardReport,
  { deployment, deployment_status: status }: StackReport,
): DrawnState | undefined {
  if (deployment?.candidate === shard) return stateAt(deployment.phase, 'candidate');
  if (deployment?.retiring === shard && deployment.phase !== 'done')
    return stateAt(deployment.phase, 'retiring');
  const isActive = status.kind === 'known' && status.active === shard && found.length > 0;
  return isActive ? 'active' : undefined;
}

function drawState(state: DrawnState | undefined): readonly Content[] {
  if (state === undefined) return [];
  const content = [drawSwatch(`bar ${state}`), ` ${stateLabels[state]}`];
  return [' ', element('span', { class: 'state' }, content)];
}

function registrations({ registrations: found }: ShardReport, paused: string): readonly Content[] {
  if (typeof found === 'string') return [`not known: ${found}`];
  return list(
    found.map((one) => [
      `${one.id}${one.paused ? `, ${paused}` : ''}, ${one.tags.length === 0 ? 'no tags' : `tags ${one.tags.join(', ')}`}`,
    ]),
  );
}

function managers({ registrations: found }: ShardReport, now: number): readonly Content[] {
  if (typeof found === 'string') return ['not known'];
  return list(
    found
      .flatMap((one) => one.managers)
      .map(({ id, version, created_at: made, contacted_at: contact }) => [
        [
          `${id}, version ${version === '' ? 'not known' : version}`,
          ...(made === undefined ? [] : [`${formatAge(made, now)} old`]),
          contact === undefined ? 'no contact yet' : `last contact ${formatAge(contact, now)} ago`,
        ].join(', '),
      ]),
  );
}

function hosts({ hosts: found }: ShardReport): readonly Content[] {
  if (typeof found === 'string') return [`not known: ${found}`];
  return list(found.map(({ id, agent }) => [`${id}, agent ${agent}`]));
}

function when(iso: string | undefined, now: number): string {
  return iso === undefined ? 'none' : `${formatDate(iso)}, ${formatAge(iso, now)} ago`;
}

function unhealthy({ unhealthy_in_a_row: times }: ShardReport): readonly Fact[] {
  if (times === 0) return [];
  return [['verdicts', [`unhealthy ${times === 1 ? 'once' : `${times} times in a row`}`]]];
}

/** Describes the drain of the retiring shard: its start, and the number of jobs left. */
function drain(shard: ShardReport, report: StackReport, now: number): readonly Fact[] {
  const { deployment } = report;
  if (deployment === null || cardState(shard, report) !== 'draining') return [];
  const since = deployment.closedAt ?? deployment.phaseAt;
  const { jobs: left } = shard;
  const rest = left.length === 0 ? 'no job is listed' : `${counted(left.length, 'job')} left`;
  return [['drain', [`for ${formatAge(since, now)}, ${rest}`]]];
}

function jobs(
  { jobs: found, registrations: runners }: ShardReport,
  now: number,
): readonly Content[] {
  if (typeof runners === 'string') return ['not known'];
  const shown = found.slice(0, mostShown).map(({ id, name, status, url, started_at: started }) => {
    const since = started === undefined ? '' : ` for ${formatAge(started, now)}`;
    return [link(`${id} ${name}`, url), `, ${status}${since}`];
  });
  const more = found.length - shown.length;
  return list(more > 0 ? [...shown, [`and ${more} more`]] : shown);
}

function endings({ endings: versions, token_endings: tokens }: ShardReport): readonly Fact[] {
  const ends = typeof versions === 'string' ? [`not known: ${versions}`] : versions;
  return [
    ...(ends.length === 0 ? [] : [['version', list(ends.map((text) => [text]))] as const]),
    ...(tokens.length === 0 ? [] : [['token', list(tokens.map((text) => [text]))] as const]),
  ];
}

function list(entries: readonly (readonly Content[])[]): readonly Content[] {
  const [only] = entries;
  if (only === undefined) return ['none'];
  if (entries.length === 1) return only;
  return [
    element(
      'ul',
      {},
      entries.map((entry) => element('li', {}, entry)),
    ),
  ];
}

/** Returns a link for a web address, and plain text for anything else. */
export function link(text: string, url: string | undefined): Content {
  if (url === undefined || !isWebAddress(url)) return text;
  return element('a', { href: url, rel: 'noreferrer' }, [text]);
}
