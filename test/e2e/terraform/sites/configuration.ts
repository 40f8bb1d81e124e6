import { readFileSync } from 'node:fs';
import { type World, writeConfiguration } from '../../by-hand/world/world.ts';

/** Returns the world's usual configuration with another infrastructure in YAML lines. */
export function configureTerraform(world: World, lines: readonly string[]): string {
  const usual = readFileSync(world.environment['HOSTED_RUNNER_CONFIG'] ?? '', 'utf8');
  const block = ['driver: terraform', ...lines].map((line) => `    ${line}\n`).join('');
  const text = usual.replace(/ {4}driver: command\n(?: {4}.*\n){3}/, block);
  return writeConfiguration(world, 'terraform.yml', text);
}

/** Returns the program of the usual configuration as shell words. */
export function programOf(world: World): string {
  const usual = readFileSync(world.environment['HOSTED_RUNNER_CONFIG'] ?? '', 'utf8');
  const program = /apply: (\["[^"]+","[^"]+")/.exec(usual)?.[1] ?? '["true"';
  return (JSON.parse(`${program}]`) as string[]).join(' ');
}
