import { canonicalJson, digestOf } from '../digest.ts';
import type { StackSettings } from '../settings.ts';

/** What makes a candidate what it is, as far as it can be seen. Digests, so that two can be compared. */
export interface Fingerprint {
  /** Of what the configuration says of a shard. */
  readonly settings: string;
  /** Of everything that the driver plans to build; known only of a plan that builds all of it anew. */
  readonly plan?: string;
  /** The machine images of that plan, such as `ami-0abc1234def567890`; a digest of them where they are many. */
  readonly images?: string;
  /** Of the pipeline. It stands for what no plan says: a command of one's own, say. */
  readonly commit?: string;
}

/** What a plan says of it. */
export type PlannedBuild = Pick<Fingerprint, 'plan' | 'images'>;

/**
 * Of what makes a shard, and not of how it is watched, waited for or drained. Folders are left out:
 * they differ from machine to machine.
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

/** Whether the two cannot be told apart. What one of them does not know tells nothing. */
export function isSame(one: Fingerprint, other: Fingerprint): boolean {
  if (one.settings !== other.settings || differ(one.images, other.images)) return false;
  if (one.plan !== undefined && other.plan !== undefined) return one.plan === other.plan;
  return !differ(one.commit, other.commit);
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
