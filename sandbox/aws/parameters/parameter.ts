import { AwsRefusal, parameterNotFound, validationError } from '../refusal.ts';

export type ParameterType = 'String' | 'StringList' | 'SecureString';

export type ParameterTier = 'Standard' | 'Advanced';

export interface ParameterVersion {
  readonly version: number;
  /** Value, sealed if the type is SecureString. */
  readonly content: string;
  readonly modifiedAtMs: number;
  readonly labels: string[];
}

export interface StoredParameter {
  readonly name: string;
  readonly type: ParameterType;
  /** Default: Standard. A parameter keeps the tier Advanced. */
  tier?: ParameterTier;
  description?: string;
  allowedPattern?: string;
  /** Key of a SecureString. Absent: the account's default key. */
  keyId?: string;
  tags: Record<string, string>;
  /** The newest 100 versions, oldest first. */
  versions: ParameterVersion[];
  deletedAtMs?: number;
}

/** Refuses a name that AWS does not accept as a path. */
export function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') throw validationError('Parameter name is required.');
  if (!/^[\w./-]+$/.test(name)) {
    throw validationError(
      'Parameter name: can\'t be prefixed with "ssm" (case-insensitive). If formed as a path, it can consist of sub-paths divided by slash symbol; each sub-path can be formed as a mix of letters, numbers and the following 3 symbols .-_',
    );
  }
  if (/^\/?(?:aws|ssm)/i.test(name)) {
    throw validationError(
      `Parameter name: can't be prefixed with "aws" or "ssm" (case-insensitive).`,
    );
  }
  if (name.split('/').length > 16 || name.length > 1011) {
    throw new AwsRefusal(
      'HierarchyLevelLimitExceededException',
      'A hierarchy can have a maximum of 15 levels.',
    );
  }
}

/** Returns the state that a copy `staleMs` behind has. */
export function seenAt(
  parameter: StoredParameter | undefined,
  atMs: number,
): StoredParameter | undefined {
  if (parameter === undefined) return undefined;
  if (parameter.deletedAtMs !== undefined && parameter.deletedAtMs <= atMs) return undefined;
  const versions = parameter.versions.filter(({ modifiedAtMs }) => modifiedAtMs <= atMs);
  return versions.length === 0 ? undefined : { ...parameter, versions };
}

/** Selects a version by `name`, `name:3` or `name:label`. */
export function selectVersion(
  parameter: StoredParameter | undefined,
  selector: string | undefined,
): ParameterVersion {
  const newest = parameter?.versions.at(-1);
  if (parameter === undefined || newest === undefined) throw parameterNotFound();
  if (selector === undefined) return newest;
  const found = parameter.versions.find(
    ({ version, labels }) => String(version) === selector || labels.includes(selector),
  );
  if (found !== undefined) return found;
  throw new AwsRefusal(
    'ParameterVersionNotFound',
    `Systems Manager could not find version ${selector} of ${parameter.name}. Verify the version and try again.`,
  );
}

/** Maximum size of a value in bytes. */
export const mostBytes: Readonly<Record<ParameterTier, number>> = {
  Standard: 4096,
  Advanced: 8192,
};

export function checkValue(
  value: string,
  { tier, allowedPattern }: { tier: ParameterTier; allowedPattern: string | undefined },
): void {
  if (value === '') throw validationError('Parameter value can not be empty.');
  if (/\{\{.*\}\}/s.test(value))
    throw validationError(
      'Parameter value can\'t nest another parameter. Do not use "{{}}" in the value.',
    );
  if (Buffer.byteLength(value) > mostBytes[tier]) {
    if (tier === 'Advanced')
      throw validationError(
        'Advanced tier parameters support a maximum parameter value of 8192 characters.',
      );
    throw validationError(
      'Standard tier parameters support a maximum parameter value of 4096 characters. To create a larger parameter value, upgrade the parameter to use the advanced-parameter tier. For more information, see https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html',
    );
  }
  if (allowedPattern !== undefined && !new RegExp(allowedPattern).test(value)) {
    throw new AwsRefusal(
      'ParameterPatternMismatchException',
      `Parameter value, cannot be validated against allowedPattern: ${allowedPattern}`,
    );
  }
}

export function checkPattern(allowedPattern: string): void {
  try {
    new RegExp(allowedPattern);
  } catch {
    throw new AwsRefusal(
      'InvalidAllowedPatternException',
      `The parameter allowedPattern is not a valid regular expression: ${allowedPattern}`,
    );
  }
}
