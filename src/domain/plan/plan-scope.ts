import { otherShard, type RunnerName, type Shard, type ShardPair } from '../shard.ts';

/** The one shard that a plan may change, and how its names differ from those of others. */
export interface PlanScope {
  readonly runnerName: RunnerName;
  readonly shard: Shard;
  readonly shards: ShardPair;
  /** Prefix of this stack only: `/gitlab/dedicated/runner/linux/`. */
  readonly parameterPrefix: string;
  /** Additional names of the shard, filled in; `*` at the end matches any text. */
  readonly ownNames: readonly string[];
  /** Keys of the tags that name the stack and the shard. */
  readonly stackTag: string;
  readonly shardTag: string;
}

/** Returns why a text names another shard or stack; empty if it does not. */
export function judgeText(scope: PlanScope, text: string): string {
  return judgeNames(scope, text) || judgePaths(scope, text) || judgeParameters(scope, text);
}

/** Returns whether a text contains the shard's name. */
export function namesShard(scope: PlanScope, text: string): boolean {
  return namesIn(scope, text).some((name) => belongsToUs(scope, name));
}

interface FoundName {
  readonly shard: string;
  readonly rest: string;
}

/**
 * Finds names such as `pink-linux-large` in `arn:…:role/pink-linux-large_manager`: the longest word
 * with hyphens.
 */
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
    if (shard === other && ofStack)
      return `it contains the name ${shard}-${rest}, which belongs to the other shard`;
    // Prose may contain "blue-green"; names, ARNs and paths contain no spaces.
    if (belongsToUs(scope, name) || /\s/.test(text)) continue;
    return `it contains the name ${shard}-${rest}, which belongs to another stack`;
  }
  return '';
}

/** Refuses paths such as `…/linux/purple/…`, which parameters and log groups have. */
function judgePaths({ shards, shard, runnerName }: PlanScope, text: string): string {
  const other = otherShard(shards, shard);
  const pattern = new RegExp(`(?<![a-z0-9-])${runnerName}/${other}(?![a-z0-9-])`, 'i');
  return pattern.test(text)
    ? `it contains the path ${runnerName}/${other}, which belongs to the other shard`
    : '';
}

function judgeParameters({ parameterPrefix, runnerName }: PlanScope, text: string): string {
  const at = parameterPrefix.lastIndexOf(`/${runnerName}/`);
  const [head, tail] = [parameterPrefix.slice(0, at + 1), parameterPrefix.slice(at + 1)];
  // A prefix that begins with the stack's name cannot distinguish stacks.
  if (head.length < 2) return '';
  for (const rest of text.split(head).slice(1)) {
    const stack = /^[a-z0-9-]+(?=\/)/i.exec(rest)?.[0];
    if (stack !== undefined && stack !== runnerName) {
      return `it contains the path ${head}${stack}/, which belongs to another stack`;
    }
    const own = rest.startsWith(tail) ? rest.slice(tail.length) : '';
    if (/^deployment_(?:status|record|lock|hold)(?![a-z0-9])/.test(own)) {
      return 'it contains the name of a parameter that hosted-runner manages';
    }
  }
  return '';
}

/** Checks each word of an address: `module.purple.…`, `…["purple"]`. */
export function judgeAddress(scope: PlanScope, address: string): string {
  const other = otherShard(scope.shards, scope.shard);
  const words = address.toLowerCase().split(/[^a-z0-9]+/);
  return words.includes(other)
    ? `its address contains the name of the other shard, ${other}`
    : judgeText(scope, address);
}

/** Checks the values of the stack tag and the shard tag. */
export function judgeTag({ scope, key, value }: { scope: PlanScope; key: string; value: unknown }) {
  for (const [tag, own] of [
    [scope.stackTag, scope.runnerName],
    [scope.shardTag, scope.shard],
  ] as const) {
    if (key !== tag || value === null || value === own) continue;
    return typeof value === 'string'
      ? `its tag ${tag} is "${value}", not "${own}"`
      : `its tag ${tag} is unknown before the apply`;
  }
  return '';
}
