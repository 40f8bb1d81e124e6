// Runs a runner manager alone, from the output of `tsc`.
const built = new URL('../../../build/sandbox/manager/child.js', import.meta.url).href;
const { runManager } = await import(built);

await runManager(process, Date.now);
