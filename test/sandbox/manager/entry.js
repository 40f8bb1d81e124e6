// A runner manager without the rest of the program, from what `tsc` builds.
const built = new URL('../../../build/sandbox/manager/child.js', import.meta.url).href;
const { runManager } = await import(built);

await runManager(process, Date.now);
