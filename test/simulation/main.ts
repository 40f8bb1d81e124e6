import { parseScenario } from './scenario.ts';
import { simulate } from './simulate.ts';

const { runs, verdict, worldHash } = await simulate(parseScenario(process.argv[2] ?? ''));
for (const { order, ended } of runs) process.stdout.write(`${order.command} ${ended}\n`);
process.stdout.write(`world ${worldHash}\n${verdict.join('\n')}\n`);
