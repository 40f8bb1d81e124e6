import { runApply, runDestroy, runSandbox, runSignal } from './command.ts';
import { runDemo } from './demo/demo.ts';

/** Sandbox as a separate bundle, which only its own commands load. */
export const sandbox = {
  demo: runDemo,
  run: runSandbox,
  apply: runApply,
  destroy: runDestroy,
  signal: runSignal,
};
