import { capital } from '../../domain/text/capital.ts';
import { isAbsent, type ShardReport } from '../../operator/shard-report.ts';
import type { StackReport } from '../../operator/status-report.ts';
import { type Content, element, type Markup } from '../drawing/elements.ts';
import { drawSwatch } from '../drawing/legend.ts';
import type { DrawnState } from '../drawing/picture.ts';
import { shardStates, stateLabels } from '../drawing/shard-states.ts';
import { isWebAddress } from '../links.ts';
import { stateAt } from '../picture-of-run.ts';
import { formatAge, formatDate } from '../time-text.ts';

const mostShown = 50;

/**
 * Draws one shard: its state with the legend of its colour, its parts and its jobs. Values that are
 * empty are left out. A shard that does not exist is one line.
 */
export function drawShard(shard: ShardReport, report: StackReport, now: number): Markup {
  const words = report.registry;
  if (isAbsent(shard, report)) return drawAbsent(shard);
  const state = cardState(shard, report);
  return element('article', { class: 'shard-card' }, [
    element('h3', {}, [shard.shard, ...drawState(state)]),
    ...(state === undefined ? [] : [element('p', { class: 'soft' }, [meaningOf(state, shard)])]),
    facts(
      [
        ...refusal(shard),
        ['role', [shard.role]] as const,
        [words.registration, registrations(shard, words.paused)] as const,
        [words.managers, managers(shard, now)] as const,
        ['hosts', hosts(shard)] as const,
        ['built', [when(shard.applied_at, now)]] as const,
        ['verified healthy', [when(shard.proven_at, now)]] as const,
        ...unhealthy(shard),
        ['jobs', jobs(shard, now)] as const,
        ...endings(shard),
      ].filter(([, [value]]) => value !== 'none'),
    ),
  ]);
}

function drawAbsent({ shard, hosts: known }: ShardReport): Markup {
  const reason =
    typeof known === 'string'
      ? `it has no runner; its hosts are not known: ${known}`
      : 'it has no runner and no host';
  return element('p', { class: 'absent' }, [
    element('strong', {}, [shard]),
    ` is absent: ${reason}.`,
  ]);
}

/** States why the shard accepts no jobs. The verdict of the stack names the shard that does. */
function refusal({ service: { verdict, reason } }: ShardReport): readonly Fact[] {
  if (verdict === 'proven') return [];
  return [['accepts jobs', [`${verdict === 'unknown' ? 'not verified' : 'no'}: ${reason}`]]];
}

/** Describes the state. The record alone does not show that a shard takes jobs. */
function meaningOf(state: DrawnState, { service }: ShardReport): string {
  if (state === 'active' && service.verdict !== 'proven') return 'It is the active shard.';
  return `${capital(shardStates[state].meaning)}.`;
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
