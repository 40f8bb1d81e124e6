import { parseJson } from '../../../domain/text/json.ts';
/**
 * Whether a state holds anything, by `state pull`: it needs no provider and no plan. Where there was
 * never a state it prints nothing and succeeds.
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

/** Of states that may all be the shard's: present by any, absent by all. */
export function judgeStates(texts: readonly string[]): Existence {
  const judged = texts.map(judgeState);
  return (['present', 'unknown'] as const).find((one) => judged.includes(one)) ?? 'absent';
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

/** What a state calls its resources; nothing else of it leaves here, because it holds secrets. */
function idsOfState(text: string): readonly string[] | 'unknown' {
  const judged = judgeState(text);
  if (judged !== 'present') return judged === 'absent' ? [] : 'unknown';
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

/** An instance's disks and its first interface are tagged as it is, and are no resources of their own. */
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
