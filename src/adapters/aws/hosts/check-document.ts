import { createHash } from 'node:crypto';
import type { HealthcheckSettings, HostSettings } from '../../../domain/settings.ts';
import { hostCheckScript } from '../scripts/host-check-script.ts';
import { probeScript } from '../scripts/probe-script.ts';
import { reachScript } from '../scripts/reach-script.ts';
import { verifyScript } from '../scripts/verify-script.ts';

/** Checks of a host that have no effect on its runner. */
export type Check = 'look' | 'probe' | 'reach' | 'verify';

/** Settings that the scripts are built from. */
export interface CheckSettings {
  readonly host: HostSettings;
  readonly healthcheck: Pick<HealthcheckSettings, 'reach' | 'workloadImage'>;
}

/**
 * Renders a Systems Manager document that runs only the check scripts of one stack. A role with
 * only this document can run no other script on a host. The result is one line without a final line
 * break, because AWS compares the hash of the exact content.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-schemas-features.html
 */
export function renderCheckDocument(settings: CheckSettings): string {
  return JSON.stringify({
    schemaVersion: '2.2',
    description: 'hosted-runner: checks of a runner host, without an effect on its runner',
    parameters: {
      check: { type: 'String', allowedValues: Object.keys(scriptsOf(settings)) },
      // Systems Manager inserts a value into the script unchanged. The pattern excludes all shell
      // syntax.
      id: { type: 'String', default: '', allowedPattern: '^[a-z0-9]{0,32}$' },
      wait: { type: 'String', default: '0', allowedPattern: '^([0-9]|[12][0-9]|30)$' },
      executionTimeout: { type: 'String', default: '300', allowedPattern: '^[1-9][0-9]{0,3}$' },
    },
    mainSteps: [
      {
        action: 'aws:runShellScript',
        name: 'check',
        inputs: { timeoutSeconds: '{{ executionTimeout }}', runCommand: bodyOf(settings) },
      },
    ],
  });
}

/** Computes the hash of the content as AWS does for `DocumentHash`. */
export function hashOf(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}

function scriptsOf({ host, healthcheck }: CheckSettings): Readonly<Record<Check, string>> {
  const { reach, workloadImage: image } = healthcheck;
  return {
    look: hostCheckScript(host),
    probe: probeScript(host, { image }),
    reach: reachScript(reach),
    // GitHub's runner has no such command, so this check is never sent.
    verify: host.process.kind === 'actions_runner' ? ':' : verifyScript(host),
  };
}

function bodyOf(settings: CheckSettings): readonly string[] {
  const cases = Object.entries(scriptsOf(settings)).map(
    ([check, script]) => `${check})\n${script}\n;;`,
  );
  const lines = ["id='{{ id }}'", "wait='{{ wait }}'", "case '{{ check }}' in", ...cases, 'esac'];
  return lines.join('\n').split('\n');
}
