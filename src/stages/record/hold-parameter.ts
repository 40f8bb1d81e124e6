import { z } from 'zod';
import { formatParameterJson, parseJson } from '../../domain/text/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Parameter, StateStore } from '../../ports/state-store.ts';
import { findInSnapshot, type ParameterSnapshot } from './parameter-snapshot.ts';
import { readUntil } from './parameter-write.ts';

export interface Hold {
  readonly who: string;
  readonly why: string;
  readonly since: string;
}

const line = z.string().transform(oneLine);
const holdSchema = z.object({ who: line, why: line, since: line });

const releasedSchema = z.strictObject({
  released: z.string(),
  by: z.string(),
  /** Version of the hold that this release ends. */
  of: z.int().min(1),
});

/**
 * Formats the value that a release writes instead of deleting the parameter, whose name could not
 * be reused at once. The release ends only the hold that it names, even if it arrives late
 * ([1](../../../docs/decisions/0001-stored-state.md)).
 */
export function formatReleased(release: z.infer<typeof releasedSchema>): string {
  return formatParameterJson(release);
}

/** Reads the hold. An unreadable hold still counts: an operator wanted everything to stop. */
export async function readHold(
  parameters: Pick<StateStore, 'find'>,
  name: string,
): Promise<Hold | undefined> {
  return holdIn(await parameters.find(name));
}

/**
 * Reads the hold's parameter until `isExpected` accepts it or a stale read is excluded.
 * @param snapshot the first read
 */
export function readHoldUntil(
  ports: { readonly parameters: Pick<StateStore, 'find'>; readonly clock: Clock },
  name: string,
  isExpected: (hold: Hold | undefined) => boolean,
  snapshot?: ParameterSnapshot,
): Promise<Parameter | undefined> {
  return readUntil(
    ports.clock,
    (polls) => findInSnapshot(ports, name, polls === 1 ? snapshot : undefined),
    (found) => isExpected(holdIn(found)),
  );
}

export function holdIn(found: Parameter | undefined): Hold | undefined {
  if (found === undefined) return undefined;
  const { value, version, modifiedAt: since } = found;
  const json = parseJson(value);
  const released = releasedSchema.safeParse(json);
  if (released.success) {
    const { by, of } = released.data;
    if (version === of + 1) return undefined;
    const why = `version ${version - 1} is not the one that ${oneLine(by)} released (version ${of})`;
    return { who: 'an unknown user', why, since };
  }
  const read = holdSchema.safeParse(json);
  if (read.success) return read.data;
  const why = oneLine(value);
  const shown = why.length > 200 ? `${why.slice(0, 200)}…` : why;
  return { who: 'an unknown user', why: shown, since };
}

/** A hold that an operator wrote by hand may have several lines. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
