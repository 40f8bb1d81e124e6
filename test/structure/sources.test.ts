import { filesBelow } from './tree.ts';

// One suite, so that all sources are parsed once.
for (const path of filesBelow('test/structure/sources')) await import(`../../${path}`);
