import { expect } from '@jest/globals';
import type { World } from '../../by-hand/world/world.ts';

/** World with a Terraform driver, with any provider. */
export interface Site {
  readonly world: World;
  stage(name: string, order?: Order): Promise<{ text: string; exitCode: number | null }>;
  /** Address of the runner manager, for `recover --method replace`. */
  readonly manager: string;
  wrongAtRest(): Promise<string[]>;
}

export interface Order {
  readonly args?: readonly string[];
  readonly set?: readonly string[];
}

interface Run {
  readonly name: string;
  act(site: Site): Promise<void>;
}

const short = { set: ['healthcheck.timeout=8s'] };

function ends(exitCode: number, run: { text: string; exitCode: number | null }): string {
  if (run.exitCode !== exitCode)
    throw new Error(`exit code ${run.exitCode}, not ${exitCode}:\n${run.text.slice(-3000)}`);
  return run.text;
}

const boot = ({ world }: Site, how: 'ok' | 'never_contacts') =>
  world.sandbox.settings.change({ runnerName: 'linux' }, { boot: how });

/** Steps from an empty account to a stack whose third deployment was recovered. */
export const runs: readonly Run[] = [
  {
    name: 'the first deployment',
    async act(site) {
      expect(ends(0, await site.stage('deploy'))).toMatch(/Applied pink: \d+ added, 0 changed/);
      expect(await site.wrongAtRest()).toEqual([]);
    },
  },
  {
    name: 'the second deployment',
    async act(site) {
      const text = ends(0, await site.stage('deploy'));
      expect(text).toMatch(/Applied purple: \d+ added, 0 changed/);
      expect(text).toMatch(/Destroyed pink: 0 added, 0 changed, \d+ destroyed\./);
      expect(await site.wrongAtRest()).toEqual([]);
    },
  },
  {
    name: 'a candidate that fails',
    async act(site) {
      boot(site, 'never_contacts');
      ends(0, await site.stage('prepare'));
      expect(ends(1, await site.stage('provision', short))).toContain('HealthcheckTimedOut');
      // Without changes, a rerun of an unhealthy shard cannot help.
      const again = ends(1, await site.stage('provision', short));
      expect(again).toContain('The last apply changed nothing, so another run cannot help');
      boot(site, 'ok');
    },
  },
  {
    name: 'recovery by -replace',
    async act(site) {
      const args = ['--method', 'replace', '--address', site.manager, '--yes'];
      const text = ends(0, await site.stage('recover', { args }));
      expect(text).toContain(
        `Replacing ${site.manager} of pink: 1 to add, 0 to change, 1 to destroy`,
      );
      expect(text).toContain('Applied pink: 1 added, 0 changed, 1 destroyed.');
    },
  },
  {
    name: 'the finalizer',
    async act(site) {
      const text = ends(0, await site.stage('finalize'));
      expect(text).toMatch(/Destroyed purple: 0 added, 0 changed, \d+ destroyed\./);
      expect(await site.wrongAtRest()).toEqual([]);
      ends(0, await site.stage('finalize'));
    },
  },
];
