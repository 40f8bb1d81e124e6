import { z } from 'zod';
import type { Fingerprint } from '../../domain/fingerprint/fingerprint.ts';
import type { RolledBackDeployment } from '../../domain/fingerprint/rollback-notes.ts';

const shape = z.object({
  settings: z.string(),
  plan: z.string().optional(),
  images: z.string().optional(),
  commit: z.string().optional(),
});

const note = z.object({ id: z.string(), at: z.string(), why: z.string(), made: shape });

// An unreadable fingerprint counts as unknown and stops nothing.
export const fingerprintSchema = shape.optional().catch(undefined);
export const rolledBackSchema = z.array(note).optional().catch(undefined);

export function storedFingerprint(fingerprint: Fingerprint | undefined) {
  return fingerprint === undefined ? {} : { fingerprint: { ...fingerprint } };
}

export function fingerprintFromStored(stored: z.infer<typeof fingerprintSchema>) {
  return stored === undefined ? {} : { fingerprint: stored as Fingerprint };
}

export function storedRolledBack(notes: readonly RolledBackDeployment[] | undefined) {
  return notes === undefined
    ? {}
    : { taken_back: notes.map((one) => ({ ...one, made: { ...one.made } })) };
}

export function rolledBackFromStored(stored: z.infer<typeof rolledBackSchema>) {
  return stored === undefined ? {} : { rollbacks: stored as readonly RolledBackDeployment[] };
}
