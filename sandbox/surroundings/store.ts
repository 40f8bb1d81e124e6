import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Seal for secrets that are read again: AES-256-GCM, with the key in the same folder, mode 0600.
 */
interface Seal {
  seal(text: string): string;
  /** Opens a sealed text. Throws if it was not sealed with this folder's key. */
  open(sealed: string): string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function createSeal(keyFile: string): Seal {
  const key = readOrCreateKey(keyFile);
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}

function readOrCreateKey(file: string): Buffer {
  const there = readIfThere(file);
  // A truncated key, left by a full disk, cannot have sealed anything.
  if (there?.length === KEY_BYTES) return there;
  const key = randomBytes(KEY_BYTES);
  replace(file, key);
  return key;
}

/**
 * Named JSON documents in the sandbox's folder. `save` keeps a reference and writes whole documents
 * soon. `flush` and `close` write at once. After `close`, nothing is written, because the folder
 * may be deleted during a last request. Secrets must be saved through `seal`.
 */
export interface SandboxStore extends Seal {
  load<T>(name: string): T | undefined;
  save(name: string, value: unknown): void;
  flush(): void;
  close(): void;
}

const SAVE_WITHIN_MS = 200;

export function openFolder(folder: string): SandboxStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const waiting = new Map<string, unknown>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [name, value] of waiting) writeWhole(fileOf(folder, name), value);
    waiting.clear();
  }

  return {
    ...createSeal(join(folder, 'key')),
    load: <T>(name: string) =>
      (waiting.get(name) ?? readWhole(fileOf(folder, name))) as T | undefined,
    save(name, value) {
      waiting.set(name, value);
      if (!isClosed) timer ??= setTimeout(flush, SAVE_WITHIN_MS).unref();
    },
    flush,
    close() {
      flush();
      isClosed = true;
    },
  };
}

function fileOf(folder: string, name: string): string {
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new RangeError(`"${name}" names no document.`);
  return join(folder, `${name}.json`);
}

function readWhole(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeWhole(file: string, value: unknown): void {
  replace(file, JSON.stringify(value));
}

// Replaces a file. If the sandbox is killed during a write, the file has the old or the new
// content.
function replace(file: string, content: string | Buffer): void {
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
