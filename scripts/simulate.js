import { knownToThisNode } from './run.js';
import { runBundled } from './run-bundled.js';

// usage: npm run simulate -- --help
// There is a thread for each processor, and V8's helpers would only take from them. Of so much code that
// runs alike, what is optimized early is optimized again and again: a twelfth is won by waiting.
await runBundled(
  'test/simulation/main.ts',
  'build/simulation/simulate.mjs',
  knownToThisNode(['--single-threaded-gc', '--interrupt-budget=300000']),
);
