#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { helpText } from './cli/help/help-text.ts';

const widestLine = 100;

// Help must be fast, so it loads only this file.
if (process.argv.length === 3 && /^(?:-h|--help)$/.test(process.argv[2] ?? '') && canFitHelp()) {
  printHelp();
} else {
  // Nearly every command needs the configuration code, which is loaded in parallel. V8's compile
  // cache is off: a job's container has none, and other users could write to a shared cache.
  const [{ runProcess }] = await Promise.all([
    import('./app/process.ts'),
    import('./config/load.ts'),
  ]);
  process.exitCode = await runProcess({ entry: import.meta.url });
}

/** Returns whether the help fits. On a narrower terminal, the parser wraps its lines. */
function canFitHelp(): boolean {
  return !isatty(1) || (process.stdout.columns || widestLine) >= widestLine;
}

/** Writes without `process.stdout`, which would first load streams and sockets. */
function printHelp(): void {
  let left = Buffer.from(helpText);
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A reader that closes the pipe early (`| head`) is no error.
    if (code === 'EPIPE') return;
    if (code === 'EAGAIN') {
      process.stdout.on('error', () => {});
      process.stdout.write(left);
      return;
    }
    process.stderr.write(`✖ hosted-runner: The help cannot be written (${code}).\n`);
    process.exitCode = 1;
  }
}
