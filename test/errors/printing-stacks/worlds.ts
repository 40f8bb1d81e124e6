import { bakeStacks } from './bake.ts';
import { candidateStacks } from './candidate.ts';
import { drainStacks } from './drain.ts';
import { orderStacks } from './order.ts';
import { outsideStacks } from './outside.ts';
import type { PrintingStack } from './printing.ts';
import { reopenedStacks } from './reopened.ts';
import { serviceStacks } from './service.ts';
import { takeoverStacks } from './takeover.ts';
import { terraformStacks } from './terraform.ts';

/** Worlds for each error that prints a command, as examples of the catalogue. */
export const worlds: readonly PrintingStack[] = [
  ...orderStacks,
  ...candidateStacks,
  ...drainStacks,
  ...bakeStacks,
  ...serviceStacks,
  ...reopenedStacks,
  ...takeoverStacks,
  ...outsideStacks,
  ...terraformStacks,
];
