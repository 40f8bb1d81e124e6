#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { helpText } from './cli/help/help-text.ts';

const widestLine = 100;

// Help is what people ask for first, and while they wait: it loads nothing but this file.
if (process.argv.length === 3 && /^(?:-h|--help)$/.test(process.argv[2] ?? '') && hasRoom()) {
  printHelp();
} else {
  // Nearly every command reads the configuration: its part is read from the disk at the same time.
  // V8's compile cache is not enabled: a job's container has none, and others could write to a shared one.
  const [{ runProcess }] = await Promise.all([
    import('./app/process.ts'),
    import('./config/load.ts'),
  ]);
  process.exitCode = await runProcess({ entry: import.meta.url });
}

/** A narrower terminal would break its lines; the parser wraps them. */
function hasRoom(): boolean {
  return !isatty(1) || (process.stdout.columns || widestLine) >= widestLine;
}

/** Past `process.stdout`, whose streams and sockets would be loaded first. */
function printHelp(): void {
  let left = Buffer.from(helpText);
  try {
    while (left.length > 0) left = left.subarray(writeSync(1, left));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A reader that closes the pipe early (`| head`) is no fault of ours.
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
