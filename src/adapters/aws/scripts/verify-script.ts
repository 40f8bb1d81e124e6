import type { HostSettings } from '../../../domain/settings.ts';
import { script, unitName } from './script-parts.ts';

/** Verifies with GitLab the token in the runner's own configuration. Never with `--delete`. */
export function verifyScript({ process }: HostSettings): string {
  return process.kind === 'docker'
    ? script({
        values: { name: process.container },
        body: checkOutput('docker exec "$name" gitlab-runner verify'),
      })
    : script({
        values: { name: unitName(process.unit) },
        body: checkOutput('gitlab-runner verify'),
      });
}

function checkOutput(command: string): string {
  return String.raw`
output=$(bounded 40 ${command} 2>&1)
print verify_code $?
printf '%s\n' "$output" | tail -n 20 | cut -c1-2000 | lines verify
`.trim();
}
