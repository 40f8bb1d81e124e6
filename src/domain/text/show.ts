import { hasSecret } from './secret-shapes.ts';

const longest = 60;

/**
 * Formats a value for an error: quoted, without control characters, shortened, and never a secret.
 */
export function show(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return String(value);
  if (hasSecret(value)) return 'a value that resembles a secret';
  const cut = value.length > longest ? `${value.slice(0, longest)}…` : value;
  return printable(JSON.stringify(cut));
}

/** Escapes C1 controls and text-direction marks, which JSON leaves unchanged. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
