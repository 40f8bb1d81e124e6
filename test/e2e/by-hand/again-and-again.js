import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

// usage: node again-and-again.js BUNDLE
// Each line of the standard input is a command's arguments as JSON, each line on descriptor 3 the exit
// code that it ended with: the bundle from its first line to its last, without a start of Node each time.
const [, , bundle = ''] = process.argv;
// Every run listens for signals of its own.
for (const one of [process, process.stdout, process.stderr]) one.setMaxListeners(0);

let runs = 0;
for await (const line of createInterface({ input: process.stdin })) {
  process.argv = [process.execPath, bundle, ...JSON.parse(line)];
  process.exitCode = 0;
  runs += 1;
  // Another query is another module: it runs anew, and what it loads is compiled already.
  await import(`${pathToFileURL(bundle)}?run=${runs}`);
  writeSync(3, `${process.exitCode}\n`);
}
