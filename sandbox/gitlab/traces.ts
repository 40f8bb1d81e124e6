import type { SandboxStore } from '../surroundings/store.ts';

/** What jobs wrote. Offsets are bytes. */
export interface Traces {
  size(jobId: number): number;
  append(jobId: number, bytes: Uint8Array): void;
  read(jobId: number): Buffer;
  remove(jobId: number): void;
}

const DOCUMENT = 'gitlab-traces';
const ENCODING = 'latin1';

// One character a byte, because runners cut their patches anywhere, also inside a character.
export function loadTraces(store: SandboxStore): Traces {
  const texts: Record<string, string> = store.load<Record<string, string>>(DOCUMENT) ?? {};
  return {
    size: (jobId) => texts[jobId]?.length ?? 0,
    append(jobId, bytes) {
      texts[jobId] = (texts[jobId] ?? '') + Buffer.from(bytes).toString(ENCODING);
      store.save(DOCUMENT, texts);
    },
    read: (jobId) => Buffer.from(texts[jobId] ?? '', ENCODING),
    remove(jobId) {
      delete texts[jobId];
      store.save(DOCUMENT, texts);
    },
  };
}
