import type { Signals } from '../../ports/signals.ts';
import type { Composition } from './compose.ts';

/** They are asked again at the next look, so that none of them holds a look up. */
const limits = { attemptMs: 10_000, callMs: 20_000, attempts: 2 };

/** Loaded when they are first asked: only a bake asks. */
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
