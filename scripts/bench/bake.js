import { runBundled } from '../run-bundled.js';

// usage: npm run bench:bake
await runBundled('test/faults/main.ts', 'build/faults/main.mjs');
