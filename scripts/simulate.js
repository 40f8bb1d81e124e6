import { runBundled } from './run-bundled.js';

// usage: npm run simulate -- [--depth 1|2|3] [--pct SEEDS] [--sequences RUNS] [--scenario TEXT] …
await runBundled('test/simulation/main.ts', 'build/simulation/simulate.mjs');
