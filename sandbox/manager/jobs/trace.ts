/** Log of a job, masked line by line, with the amount that GitLab has received. */
export class Trace {
  readonly #masked: readonly string[];
  #bytes = Buffer.alloc(0);
  #partialLine = '';
  #sentBytes = 0;

  constructor(masked: readonly string[]) {
    this.#masked = masked.filter((value) => value.length >= 8);
  }

  write(text: string): void {
    const whole = this.#partialLine + text;
    const end = whole.lastIndexOf('\n') + 1;
    this.#partialLine = whole.slice(end);
    this.#append(whole.slice(0, end));
  }

  /** Ends the log: no line follows. */
  end(): void {
    this.#append(this.#partialLine);
    this.#partialLine = '';
  }

  /** Returns the part that GitLab has not received, at most a megabyte. */
  next(): { start: number; bytes: Buffer } | undefined {
    if (this.#sentBytes >= this.#bytes.length) return undefined;
    const start = this.#sentBytes;
    return { start, bytes: this.#bytes.subarray(start, start + patchLimitBytes) };
  }

  /** Records the amount that GitLab confirmed. */
  confirm(sentBytes: number): void {
    this.#sentBytes = Math.min(Math.max(0, sentBytes), this.#bytes.length);
  }

  summary(): { checksum: string; bytesize: number } {
    const digits = crc32(this.#bytes).toString(16).padStart(8, '0');
    return { checksum: `crc32:${digits}`, bytesize: this.#bytes.length };
  }

  #append(text: string): void {
    if (text === '') return;
    let clean = text;
    for (const value of this.#masked) clean = clean.replaceAll(value, '[MASKED]');
    this.#bytes = Buffer.concat([this.#bytes, Buffer.from(clean, 'utf8')]);
  }
}

const patchLimitBytes = 1024 * 1024;

/**
 * Computes CRC-32 (IEEE), with which GitLab checks a finished job's log. node:zlib has it only from
 * 20.15 on.
 */
function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) {
    remainder ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
    }
  }
  return (remainder ^ 0xffffffff) >>> 0;
}
