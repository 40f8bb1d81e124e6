import { runBundled } from '../run-bundled.js';

// usage: npm run bench:stacks -- [STACKS]
await runBundled('test/stacks/main.ts', 'build/stacks/main.mjs');
