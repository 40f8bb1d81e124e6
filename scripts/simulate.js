import { runBundled } from './run-bundled.js';

// usage: npm run simulate -- --help
// There is a thread for each processor, and V8's helpers would only take from them.
await runBundled('test/simulation/main.ts', 'build/simulation/simulate.mjs', [
  '--single-threaded-gc',
]);
