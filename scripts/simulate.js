import { runBundled } from './run-bundled.js';

// usage: npm run simulate -- [--depth 1|2|3] [--pct SEEDS] [--sequences RUNS] [--scenario TEXT] …
// There is a thread for each processor, and V8's helpers would only take from them.
await runBundled('test/simulation/main.ts', 'build/simulation/simulate.mjs', [
  '--single-threaded-gc',
]);
