import { type ManagerProcess, runManager } from './child.ts';

// An entry of its own for tests; the program itself starts a manager by a hidden command.
process.exit(await runManager(process as unknown as ManagerProcess));
