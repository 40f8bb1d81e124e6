import { z } from 'zod';
import type { ParameterStore } from '../../ports/parameters.ts';

export interface Hold {
  readonly who: string;
  readonly why: string;
  readonly since: string;
}

const line = z.string().transform(oneLine);
const holdSchema = z.object({ who: line, why: line, since: line });

/** A hold that cannot be read still holds: somebody wanted everything to stop. */
export async function readHold(
  parameters: ParameterStore,
  name: string,
): Promise<Hold | undefined> {
  const found = await parameters.find(name);
  if (found === undefined) return undefined;
  try {
    return holdSchema.parse(JSON.parse(found.value));
  } catch {
    const why = oneLine(found.value);
    const shown = why.length > 200 ? `${why.slice(0, 200)}…` : why;
    return { who: 'somebody', why: shown, since: found.modifiedAt };
  }
}

/** Whoever holds by hand writes as many lines as they like. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
