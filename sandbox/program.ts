import { runApply, runDestroy, runSandbox, runSignal } from './command.ts';
import { runDemo } from './demo/demo.ts';

/** All that the program knows of the sandbox: a bundle of its own, which its commands alone load. */
export const sandbox = {
  demo: runDemo,
  run: runSandbox,
  apply: runApply,
  destroy: runDestroy,
  signal: runSignal,
};
