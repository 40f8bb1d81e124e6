import { otherShard, type RunnerName, type Shard, type ShardPair } from '../shard.ts';

/** The one shard that a plan may touch, and how its names are told from everybody else's. */
export interface PlanScope {
  readonly runnerName: RunnerName;
  readonly shard: Shard;
  readonly shards: ShardPair;
  /** Of this stack alone: `/gitlab/dedicated/runner/linux/`. */
  readonly parameterPrefix: string;
  /** Further names of the shard, filled in; a star at the end stands for anything. */
  readonly ownNames: readonly string[];
  /** Keys of the tags that name the stack and the shard. */
  readonly stackTag: string;
  readonly shardTag: string;
}

/** Why a text belongs to somebody else; empty where it does not. */
export function judgeText(scope: PlanScope, text: string): string {
  return judgeNames(scope, text) || judgePaths(scope, text) || judgeParameters(scope, text);
}

/** Whether a text carries the name of our shard. */
export function namesShard(scope: PlanScope, text: string): boolean {
  return namesIn(scope, text).some((name) => belongsToUs(scope, name));
}

interface FoundName {
  readonly shard: string;
  readonly rest: string;
}

/** `pink-linux-large` out of `arn:…:role/pink-linux-large_manager`: the longest word with hyphens. */
function namesIn({ shards }: PlanScope, text: string): FoundName[] {
  const pattern = new RegExp(`(?<![a-z0-9])(${shards.join('|')})-([a-z0-9-]*[a-z0-9])`, 'gi');
  return [...text.matchAll(pattern)].map((match) => ({
    shard: (match[1] ?? '').toLowerCase(),
    rest: (match[2] ?? '').toLowerCase(),
  }));
}

function belongsToUs({ shard, runnerName, ownNames }: PlanScope, name: FoundName): boolean {
  if (name.shard === shard && name.rest === runnerName) return true;
  const whole = `${name.shard}-${name.rest}`;
  return ownNames.some((own) =>
    own.endsWith('*') ? whole.startsWith(own.slice(0, -1)) : whole === own,
  );
}

function judgeNames(scope: PlanScope, text: string): string {
  const other = otherShard(scope.shards, scope.shard);
  for (const name of namesIn(scope, text)) {
    const { shard, rest } = name;
    const ofStack = rest === scope.runnerName || rest.startsWith(`${scope.runnerName}-`);
    if (shard === other && ofStack) return `it names ${shard}-${rest}, of the other shard`;
    // Prose may say "blue-green"; names, ARNs and paths have no spaces.
    if (belongsToUs(scope, name) || /\s/.test(text)) continue;
    return `it names ${shard}-${rest}, of another stack`;
  }
  return '';
}

/** `…/linux/purple/…`, as parameters and log groups are named. */
function judgePaths({ shards, shard, runnerName }: PlanScope, text: string): string {
  const other = otherShard(shards, shard);
  const pattern = new RegExp(`(?<![a-z0-9-])${runnerName}/${other}(?![a-z0-9-])`, 'i');
  return pattern.test(text) ? `it names ${runnerName}/${other}, of the other shard` : '';
}

function judgeParameters({ parameterPrefix, runnerName }: PlanScope, text: string): string {
  const at = parameterPrefix.lastIndexOf(`/${runnerName}/`);
  const [head, tail] = [parameterPrefix.slice(0, at + 1), parameterPrefix.slice(at + 1)];
  // A prefix that begins with the stack's own name tells no two stacks apart.
  if (head.length < 2) return '';
  for (const rest of text.split(head).slice(1)) {
    const stack = /^[a-z0-9-]+(?=\/)/i.exec(rest)?.[0];
    if (stack !== undefined && stack !== runnerName) {
      return `it names ${head}${stack}/, of another stack`;
    }
    const own = rest.startsWith(tail) ? rest.slice(tail.length) : '';
    if (/^deployment_(?:status|record|lock|hold)(?![a-z0-9])/.test(own)) {
      return 'it names a parameter that the deployment itself keeps';
    }
  }
  return '';
}

/** A word of an address: `module.purple.…`, `…["purple"]`. */
export function judgeAddress(scope: PlanScope, address: string): string {
  const other = otherShard(scope.shards, scope.shard);
  const words = address.toLowerCase().split(/[^a-z0-9]+/);
  return words.includes(other)
    ? `its address names the other shard, ${other}`
    : judgeText(scope, address);
}

/** The values of the two tags. */
export function judgeTag({ scope, key, value }: { scope: PlanScope; key: string; value: unknown }) {
  for (const [tag, own] of [
    [scope.stackTag, scope.runnerName],
    [scope.shardTag, scope.shard],
  ] as const) {
    if (key !== tag || value === null || value === own) continue;
    return typeof value === 'string'
      ? `its tag ${tag} is "${value}", not "${own}"`
      : `its tag ${tag} is not known before the apply`;
  }
  return '';
}
