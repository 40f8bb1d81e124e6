import { canonicalJson, digestOf } from '../digest.ts';
import type { StackSettings } from '../settings.ts';

/** Identity of a candidate as far as it can be observed, as digests for comparison. */
export interface Fingerprint {
  /** Digest of the configuration of a shard. */
  readonly settings: string;
  /** Digest of all planned resources; known only if the plan rebuilds all of them. */
  readonly plan?: string;
  /** Machine images of that plan, such as `ami-0abc1234def567890`; a digest if they are many. */
  readonly images?: string;
  /** Commit of the pipeline, for changes that no plan shows, such as an own command. */
  readonly commit?: string;
}

/** Part of the fingerprint that comes from a plan. */
export type PlannedBuild = Pick<Fingerprint, 'plan' | 'images'>;

/**
 * Configuration keys that build a shard. A deployment with another value is a new one, also after a
 * rollback. The other keys change how a shard is checked, drained or watched, not the shard.
 */
export const comparedSettings: readonly string[] = [
  'registration',
  'managers',
  'host.kind',
  'host.name',
  'host.wrapper',
  'infrastructure.driver',
  'infrastructure.apply',
  'infrastructure.variables',
  'infrastructure.var_files',
  'runners',
  'github.organization',
  'github.repository',
  'github.enterprise',
  'github.runner_group',
  'github.quarantine_group',
  'github.closed_group',
  'github.ephemeral',
];

/** Lists the keys that can be set for these runners. */
export function comparedSettingsOf({ github }: Pick<StackSettings, 'github'>): readonly string[] {
  return comparedSettings.filter(
    (key) => github !== undefined || !/^(?:github\.|runners$)/.test(key),
  );
}

/**
 * Digests the settings that build a shard, not those of its checks, waits and drain. Folders are
 * excluded: they differ between machines.
 */
export function settingsDigest(settings: StackSettings): string {
  const { registration, github, managers, host, infrastructure } = settings;
  return digestOf(
    canonicalJson({
      registration,
      managers,
      host: { process: host.process, wrapper: host.wrapper },
      github: github && { ...github, app: undefined, secretParameter: undefined },
      infrastructure:
        infrastructure.driver === 'terraform'
          ? { varFiles: infrastructure.varFiles, variables: infrastructure.variables }
          : { apply: infrastructure.apply },
    }),
  );
}

/** Returns whether two fingerprints do not differ. A value that one of them lacks is ignored. */
export function isSame(one: Fingerprint, other: Fingerprint): boolean {
  if (one.settings !== other.settings || differ(one.images, other.images)) return false;
  if (one.plan !== undefined && other.plan !== undefined) return one.plan === other.plan;
  return !differ(one.commit, other.commit);
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
