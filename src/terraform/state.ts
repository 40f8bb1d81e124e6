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

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
