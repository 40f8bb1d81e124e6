import { z } from 'zod';
import { sanitize } from './sanitize.ts';

/**
 * Returns a customer's name for an object as one printable line. A mark replaces removed
 * characters, so the result cannot equal another known name.
 */
export function readName(text: string): string {
  const clean = sanitize(text, Number.POSITIVE_INFINITY).replace(/[^\S ]/g, ' ');
  return clean === text ? text : `${clean}\ufffd`;
}

/** Schema for every name from a registry. */
export const printableName = z.string().transform(readName);
