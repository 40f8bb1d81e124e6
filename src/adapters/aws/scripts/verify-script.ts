import type { HostSettings } from '../../../domain/settings.ts';
import { script, unitName } from './script-parts.ts';

/** Verifies with GitLab the token in the runner's own configuration. Never with `--delete`. */
export function verifyScript({ process }: HostSettings): string {
  return process.kind === 'docker'
    ? script({
        values: { name: process.container },
        body: tell('docker exec "$name" gitlab-runner verify'),
      })
    : script({ values: { name: unitName(process.unit) }, body: tell('gitlab-runner verify') });
}

function tell(command: string): string {
  return String.raw`
told=$(bounded 40 ${command} 2>&1)
say verify_code $?
printf '%s\n' "$told" | tail -n 20 | cut -c1-2000 | lines verify
`.trim();
}
