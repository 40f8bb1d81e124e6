// Runs a sandbox in a separate process, from the output of `tsc`: `node listener.js FOLDER`
import { fileURLToPath } from 'node:url';

const built = new URL('../../../build/sandbox/command.js', import.meta.url).href;
const { runSandbox } = await import(built);
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());

process.exitCode = await runSandbox({
  folder: process.argv[2],
  program: [process.execPath, fileURLToPath(new URL('../manager/entry.js', import.meta.url))],
  searchPath: process.env['PATH'],
  behaviour: { bootDelayMs: 20, checkIntervalMs: 50, traceIntervalMs: 50, resourceMs: 1 },
  stdout: process.stdout,
  signal: stop.signal,
});
