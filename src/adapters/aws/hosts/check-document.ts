import { createHash } from 'node:crypto';
import type { HealthcheckSettings, HostSettings } from '../../../domain/settings.ts';
import { hostCheckScript } from '../scripts/host-check-script.ts';
import { probeScript } from '../scripts/probe-script.ts';
import { reachScript } from '../scripts/reach-script.ts';
import { verifyScript } from '../scripts/verify-script.ts';

/** What a host can be asked without an effect on its runner. */
export type Check = 'look' | 'probe' | 'reach' | 'verify';

/** The settings that the scripts are made of. */
export interface CheckSettings {
  readonly host: HostSettings;
  readonly healthcheck: Pick<HealthcheckSettings, 'reach' | 'workloadImage'>;
}

/**
 * A document of Systems Manager that runs the check scripts of one stack and nothing else: a role that may
 * send this document alone runs no script of its own on a host. One line without a line break at its end,
 * because AWS compares the hash of the exact content.
 * https://docs.aws.amazon.com/systems-manager/latest/userguide/documents-schemas-features.html
 */
export function renderCheckDocument(settings: CheckSettings): string {
  return JSON.stringify({
    schemaVersion: '2.2',
    description: 'hosted-runner: checks of a runner host, without an effect on its runner',
    parameters: {
      check: { type: 'String', allowedValues: Object.keys(scriptsOf(settings)) },
      // Systems Manager writes a value into the script as it is: the pattern admits nothing that a shell reads.
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

/** Of the content, as AWS computes it for `DocumentHash`. */
export function hashOf(document: string): string {
  return createHash('sha256').update(document).digest('hex');
}

function scriptsOf({ host, healthcheck }: CheckSettings): Readonly<Record<Check, string>> {
  const { reach, workloadImage: image } = healthcheck;
  return {
    look: hostCheckScript(host),
    probe: probeScript(host, { image }),
    reach: reachScript(reach),
    // GitHub's runner has no such command, and is never asked.
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
