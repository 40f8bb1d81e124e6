import { filesBelow } from './tree.ts';

// One suite, to parse all sources once.
for (const path of filesBelow('test/structure/sources')) await import(`../../${path}`);
