import { formatDuration } from '../../domain/text/duration.ts';
import type { ApplyCounts } from '../../ports/infrastructure.ts';
import type { Message } from './diagnostics.ts';

/** Progress of an apply, read from its messages. */
export interface Progress {
  /** Returns a line for the log, or undefined if the message shows no progress. */
  read(message: Message): string | undefined;
  readonly counts: ApplyCounts | undefined;
  readonly outputs: Readonly<Record<string, unknown>>;
}

const verbs: Readonly<Record<string, readonly [string, string]>> = {
  create: ['creating', 'created'],
  update: ['changing', 'changed'],
  delete: ['destroying', 'destroyed'],
};

/** Characters of an address that are shown. */
const mostShown = 1000;

/**
 * Creates the progress: one line per resource at its start, and one at its end with duration and
 * share of the total.
 */
export function createProgress(total: number): Progress {
  let counts: ApplyCounts | undefined;
  let outputs: Readonly<Record<string, unknown>> = {};
  let done = 0;
  return {
    get counts() {
      return counts;
    },
    get outputs() {
      return outputs;
    },
    read(message) {
      const hook = (message['hook'] ?? {}) as Message;
      const { addr = '' } = (hook['resource'] ?? {}) as Message;
      const address = String(addr).slice(0, mostShown);
      const [doing, did] = verbs[String(hook['action'])] ?? ['working on', 'done'];
      switch (message['type']) {
        case 'apply_start':
          return `${address}: ${doing}`;
        case 'apply_complete':
          done += 1;
          return `${address}: ${did} after ${elapsedOf(hook)} (${done} of ${total})`;
        case 'apply_errored':
          return `${address}: failed after ${elapsedOf(hook)}`;
        case 'apply_progress':
          return Number(hook['elapsed_seconds']) % 60 === 0
            ? `${address}: still ${doing}, ${elapsedOf(hook)}`
            : undefined;
        case 'change_summary':
          counts = readCounts(message['changes'] as Message);
          return undefined;
        case 'outputs':
          outputs = readOutputs(message['outputs'] as Message);
          return undefined;
        case 'dropped':
          return 'a message of more than 16 MB was not read: outputs or the text of an error may be missing';
        default:
          return undefined;
      }
    },
  };
}

function elapsedOf(hook: Message): string {
  return formatDuration(Math.max(1, Number(hook['elapsed_seconds'] ?? 0)) * 1000);
}

function readCounts(changes: Message | undefined): ApplyCounts | undefined {
  if (changes?.['operation'] === 'plan') return undefined;
  const [added, changed, destroyed] = ['add', 'change', 'remove'].map((name) => changes?.[name]);
  return {
    ...(typeof added === 'number' ? { added } : {}),
    ...(typeof changed === 'number' ? { changed } : {}),
    ...(typeof destroyed === 'number' ? { destroyed } : {}),
  };
}

/** Reads the outputs that are not marked as sensitive. */
function readOutputs(outputs: Message | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(outputs ?? {}).flatMap(([name, output]) => {
      const { sensitive, value } = output as { sensitive?: unknown; value?: unknown };
      return sensitive === false ? [[name, value]] : [];
    }),
  );
}
