import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

// Runs the bundle for each line of the standard input, a JSON object with arguments, folder and
// environment. Usage: node again-and-again.js BUNDLE MARK
// Each run executes the bundle from its first line, without a new start of Node. After each run's
// output, the mark follows on both streams, and the exit code on the error stream.
const [, , bundle = '', mark = ''] = process.argv;
// Every run adds signal listeners.
for (const one of [process, process.stdout, process.stderr]) one.setMaxListeners(0);

// A run ends its process after its output, but this process has more runs.
Object.assign(process, { exit: () => {} });

let runs = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { args, cwd, env } = JSON.parse(line);
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, bundle, ...args];
  process.exitCode = 0;
  runs += 1;
  // Another query makes another module, which starts fresh from compiled code.
  await import(`${pathToFileURL(bundle)}?run=${runs}`);
  writeSync(1, mark);
  writeSync(2, `${mark}${process.exitCode}\n`);
}
