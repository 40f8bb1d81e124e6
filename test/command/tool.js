// Minimal tool for infrastructure: resources are files in the folder STATE.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [verb, shard] = process.argv.slice(2);
const state = process.env['STATE'] ?? '';
const folder = join(state, shard ?? '');
const wanted = ['role', 'machine'];
const failing = join(state, 'fail');
/** @param {object} result */
const printResult = (result) => process.stdout.write(`${JSON.stringify(result)}\n`);
const present = () => (existsSync(folder) ? readdirSync(folder) : []);

if (verb === 'outputs') {
  printResult({ exists: present().length > 0 });
  process.exit(0);
}
mkdirSync(folder, { recursive: true });
let added = 0;
let destroyed = 0;
for (const name of wanted) {
  const file = join(folder, name);
  if (verb === 'apply' && !existsSync(file)) {
    writeFileSync(file, '');
    added += 1;
  }
  if (verb === 'destroy' && existsSync(file)) {
    rmSync(file);
    destroyed += 1;
  }
  process.stdout.write(`${verb} ${name}\n`);
  if (existsSync(failing)) {
    rmSync(failing);
    process.stderr.write('InsufficientInstanceCapacity: try again later.\n');
    process.exit(1);
  }
}
printResult({ added, changed: 0, destroyed, endpoint: `https://${shard}` });
