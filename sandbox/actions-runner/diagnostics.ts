import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sessionRefused } from './printed-words.ts';

/**
 * Log of a listener of v2.336.0 in `_diag`. Each line is written before the act that it describes.
 */
export class Diagnostics {
  readonly #file: string;
  readonly #now: () => number;
  #messages = 0;

  constructor(home: string, version: string, now: () => number) {
    const folder = join(home, '_diag');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stamp = new Date(now())
      .toISOString()
      .replace(/\.\d+Z$/, '')
      .replaceAll(/[-:]/g, '');
    this.#file = join(folder, `Runner_${stamp.replace('T', '-')}-utc.log`);
    this.#now = now;
    this.#write('INFO Listener', 'Runner is built for Linux (X64) - linux-x64.');
    this.#write('INFO Listener', `Version: ${version}`);
  }

  sessionRefused(): void {
    this.#write('ERR  MessageListener', sessionRefused);
  }

  messageReceived(): void {
    this.#messages += 1;
    this.#write('INFO BrokerMessageListener', `Message '${this.#messages}' received.`);
  }

  jobReceived(id: number): void {
    const words = `Job request ${id} for plan ${id} job ${id} received.`;
    this.#write('INFO JobDispatcher', words);
    this.#status('Busy');
  }

  jobSkipped(): void {
    this.#write('INFO Runner', 'Skipping message Job. Job message not found.');
  }

  jobEnded(id: number, result: string): void {
    this.#write('INFO JobDispatcher', `finish job request for job ${id} with result: ${result}`);
    this.#status('Online');
  }

  #status(state: 'Busy' | 'Online'): void {
    this.#write('INFO BrokerMessageListener', `Received job status event. JobState: ${state}`);
  }

  #write(source: string, text: string): void {
    const at = new Date(this.#now())
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, 'Z');
    appendFileSync(this.#file, `[${at} ${source}] ${text}\n`, { mode: 0o600 });
  }
}
