import type { Diagnostic } from '../../src/adapters/terraform/diagnostics.ts';
import { toError } from '../../src/adapters/terraform/terraform-failure.ts';
import type { TerraformOptions } from '../../src/adapters/terraform/terraform-options.ts';
import { stackShard } from '../contract/runner-host.contract.ts';
import { usual } from './workshop.ts';

export const options = {
  settings: usual,
  clock: { now: () => Date.parse('2026-11-02T09:00:00Z') },
  redact: (text: string) => text.replaceAll('hunter2', '[redacted]'),
} as unknown as TerraformOptions;

/** Returns the error of an apply of purple with these diagnostics. */
export function errorOfApply(
  diagnostics: readonly Diagnostic[],
  { touched = true, dataDirectory = '.terraform/hosted-runner/linux-purple' } = {},
): Error {
  return toError({
    options,
    order: {
      command: 'apply',
      arguments: [],
      shard: stackShard('purple', 'linux'),
      directory: 'infrastructure',
      dataDirectory,
    },
    failure: { end: { kind: 'exited', code: 1 }, diagnostics },
    touched,
  });
}
