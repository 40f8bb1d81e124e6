import { runBundled } from '../run-bundled.js';

// usage: npm run bench:wait -- [SEED]
await runBundled('test/waits/main.ts', 'build/waits/main.mjs');
