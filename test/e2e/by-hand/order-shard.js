import { request } from 'node:http';

// usage: node order-shard.js apply|destroy --runner NAME --shard SHARD
// What `hosted-runner sandbox apply` does, at a fifth of its start.
const [verb, , runner, , shard] = process.argv.slice(2);
const sandbox = process.env['HOSTED_RUNNER_SANDBOX_URL'];
request(`${sandbox}/sandbox/stacks/${runner}/${shard}/${verb}`, { method: 'POST' }, (answer) => {
  process.exitCode = answer.statusCode === 200 ? 0 : 1;
  answer.pipe(process.stdout);
}).end();
