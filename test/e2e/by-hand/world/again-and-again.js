import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

// usage: node again-and-again.js BUNDLE MARK
// Each line of the standard input is a run of the bundle as JSON: its arguments, its folder and its whole
// environment. The bundle runs from its first line to its last, without a start of Node each time. Behind what
// a run has said, each stream has the mark, and that of errors its exit code behind it.
const [, , bundle = '', mark = ''] = process.argv;
// Every run listens for signals of its own.
for (const one of [process, process.stdout, process.stderr]) one.setMaxListeners(0);

// A run ends its process once it has said everything; this one has runs to come.
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
  // Another query is another module: it runs anew, and what it loads is compiled already.
  await import(`${pathToFileURL(bundle)}?run=${runs}`);
  writeSync(1, mark);
  writeSync(2, `${mark}${process.exitCode}\n`);
}
