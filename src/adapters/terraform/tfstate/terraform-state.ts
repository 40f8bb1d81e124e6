import { parseJson } from '../../../domain/text/json.ts';
/**
 * Decides from `state pull` whether a state has resources, without a provider or plan. If there was
 * never a state, the command succeeds and prints nothing.
 */
export function judgeState(text: string): 'present' | 'absent' | 'unknown' {
  if (text.trim() === '') return 'absent';
  const state = parse(text);
  if (state?.['version'] !== 4 || !Array.isArray(state['resources'])) return 'unknown';
  const resources = state['resources'] as readonly Readonly<Record<string, unknown>>[];
  const built = resources.filter(({ mode }) => mode !== 'data');
  if (built.some(({ instances }) => !Array.isArray(instances))) return 'unknown';
  return built.some(({ instances }) => (instances as unknown[]).length > 0) ? 'present' : 'absent';
}

type Existence = ReturnType<typeof judgeState>;

/** Combines states that may all belong to the shard: present if one is, absent if all are. */
export function judgeStates(texts: readonly string[]): Existence {
  const verdicts = texts.map(judgeState);
  return (['present', 'unknown'] as const).find((one) => verdicts.includes(one)) ?? 'absent';
}

export function idsOfStates(texts: readonly string[]): readonly string[] | 'unknown' {
  const ids: string[] = [];
  for (const text of texts) {
    const found = idsOfState(text);
    if (found === 'unknown') return found;
    ids.push(...found);
  }
  return ids;
}

/**
 * Lists the ids of resources in a state. Nothing else is returned, because a state contains
 * secrets.
 */
function idsOfState(text: string): readonly string[] | 'unknown' {
  const verdict = judgeState(text);
  if (verdict !== 'present') return verdict === 'absent' ? [] : 'unknown';
  const resources = (parse(text)?.['resources'] ?? []) as readonly {
    readonly mode?: unknown;
    readonly instances?: readonly { readonly attributes?: Readonly<Record<string, unknown>> }[];
  }[];
  return resources
    .filter(({ mode }) => mode !== 'data')
    .flatMap(({ instances = [] }) => instances)
    .flatMap(({ attributes = {} }) => [
      ...['id', 'arn', 'name'].map((key) => attributes[key]),
      ...partsOf(attributes),
    ])
    .filter((word) => typeof word === 'string');
}

/**
 * Lists parts of an instance: its disks and first interface have its tags, but are no separate
 * resources.
 */
function partsOf(attributes: Readonly<Record<string, unknown>>): unknown[] {
  const devices = ['root_block_device', 'ebs_block_device'].flatMap((key) => attributes[key] ?? []);
  return [
    attributes['primary_network_interface_id'],
    ...devices.map((device) => (device as { volume_id?: unknown } | null)?.volume_id),
  ];
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)
    : undefined;
}
