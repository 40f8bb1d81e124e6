import type { Signals } from '../../ports/signals.ts';
import type { Composition } from './compose.ts';

/** Short limits: signals are read again at the next check and must not delay a check. */
const limits = { attemptMs: 10_000, callMs: 20_000, attempts: 2 };

/** Composes the signals, loaded at the first read, because only a bake uses them. */
export function composeSignals(composition: Composition): Signals {
  let opened: Promise<Signals> | undefined;
  const open = () => {
    opened ??= openSignals(composition);
    return opened;
  };
  return {
    readMetric: async (query) => (await open()).readMetric(query),
    askWebhook: async (url, question) => (await open()).askWebhook(url, question),
  };
}

async function openSignals({ surroundings, signal, log }: Composition): Promise<Signals> {
  const [{ createTransport }, { createSignals }] = await Promise.all([
    import('../../adapters/transport/transport.ts'),
    import('../../adapters/signals/http-signals.ts'),
  ]);
  const transport = createTransport({ ...surroundings, signal, log, limits });
  return createSignals({ ...surroundings, transport });
}
