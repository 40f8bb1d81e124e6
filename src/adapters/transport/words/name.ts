import { z } from 'zod';
import { sanitize } from './sanitize.ts';

/**
 * A name that a customer gave to something, as one line of printable text. What was taken out leaves
 * a mark: no other name may become one that we know.
 */
export function readName(text: string): string {
  const clean = sanitize(text, Number.POSITIVE_INFINITY).replace(/[^\S ]/g, ' ');
  return clean === text ? text : `${clean}\ufffd`;
}

/** How every name is read that comes from a registry. */
export const printableName = z.string().transform(readName);
