import { request } from 'node:http';

// usage: node order-shard.js sandbox apply|destroy --runner NAME --shard SHARD
// Does the same as `hosted-runner sandbox apply` in a fifth of the start time.
const [, verb, , runner, , shard] = process.argv.slice(2);
const sandbox = process.env['HOSTED_RUNNER_SANDBOX_URL'];
request(`${sandbox}/sandbox/stacks/${runner}/${shard}/${verb}`, { method: 'POST' }, (answer) => {
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  answer.on('end', () => {
    process.stdout.write(`${text}\n`);
    if (answer.statusCode === 200) return;
    const { reason, error } = JSON.parse(text);
    process.stderr.write(`Error: ${reason ?? error ?? `status ${answer.statusCode}`}\n`);
    process.exitCode = 1;
  });
}).end();
