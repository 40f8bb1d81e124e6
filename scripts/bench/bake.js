import { runBundled } from '../run-bundled.js';

// usage: npm run bench:bake
await runBundled('test/fault-rates/main.ts', 'build/fault-rates/main.mjs');
