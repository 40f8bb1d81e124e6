#!/usr/bin/env node
import { helpText } from './cli/help-text.ts';

// Help is what people ask for first, and while they wait: it loads nothing but this file.
if (process.argv.length === 3 && process.argv[2] === '--help') {
  // A reader that closes the pipe early (`| head`) is no fault of ours.
  process.stdout.on('error', () => {});
  process.stdout.write(helpText);
} else {
  const { runProcess } = await import('./process.ts');
  process.exitCode = await runProcess({ entry: import.meta.url });
}
