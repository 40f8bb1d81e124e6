import { formatYamlText } from '../../config/layers/document.ts';
import type { Environment } from '../../config/layers/overrides.ts';

/** Mark for a value that only the operator knows. */
export const placeholder = 'FILL_IN';

/** Values that `init` writes. An absent value becomes a placeholder. */
export interface StartValues {
  readonly stacks: readonly StackStart[];
  readonly gitlabUrl?: string | undefined;
  /** Id of the group whose jobs run on the stacks. */
  readonly groupId?: string | undefined;
  /** Group on GitLab, or owner on GitHub, that publishes hosted-runner-deploy. */
  readonly publisher?: string | undefined;
  /** Tags, or labels on GitHub, of the runner that runs the deployment's jobs. */
  readonly runnerTags?: readonly string[] | undefined;
  readonly roleArn?: string | undefined;
  readonly region?: string | undefined;
  /** Bucket of Terraform's states. */
  readonly bucket?: string | undefined;
  readonly subnets?: readonly string[] | undefined;
}

export interface StackStart {
  readonly name: string;
  /** Tags that customers use in their jobs. */
  readonly tags?: readonly string[] | undefined;
}

/** Returns the AWS region of the environment; undefined if it is absent or no region. */
export function findStartRegion(environment: Environment): string | undefined {
  const { AWS_REGION: region = '', AWS_DEFAULT_REGION: usual = '' } = environment;
  return [region, usual].find((one) => regionPattern.test(one));
}

// As in terraform/bootstrap/variables.tf.
export const regionPattern = /^[a-z]{2}(?:-[a-z]+)+-\d$/;

/** Formats a list of YAML texts. */
export function formatYamlList(texts: readonly string[] | undefined): string {
  return `[${(texts ?? [placeholder]).map(formatYamlText).join(', ')}]`;
}

/** Formats a list of Terraform. The texts contain no quotes and no `${`. */
export function formatTerraformList(texts: readonly string[] | undefined): string {
  return `[${(texts ?? [placeholder]).map((text) => `"${text}"`).join(', ')}]`;
}

/**
 * Returns the prefix of a stack's jobs in a pipeline with several stacks. Undefined for a single
 * stack, whose jobs need none. A prefix has at most 63 characters.
 */
export function formatJobPrefix(name: string, isSingle: boolean): string | undefined {
  if (isSingle) return undefined;
  return name.length < 63 ? `${name}:` : name;
}
