import { knownToThisNode } from './run.js';
import { runBundled } from './run-bundled.js';

// usage: npm run simulate -- --help
// Each processor has a thread, so V8's helper threads would only compete with them. Uniform code
// that is optimized early is optimized repeatedly: later optimization saves a twelfth of the time.
await runBundled(
  'test/simulation/main.ts',
  'build/simulation/simulate.mjs',
  knownToThisNode(['--single-threaded-gc', '--interrupt-budget=300000']),
);
