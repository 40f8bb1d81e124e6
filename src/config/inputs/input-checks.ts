import type { TemplateInput } from './template-input.ts';

/** Input that may be empty, which hosted-runner checks instead of GitLab. */
export interface CheckedInput {
  readonly name: string;
  readonly variable: string;
  /** Pattern of a value that is not empty. */
  readonly pattern: RegExp;
  readonly expected: string;
}

export const checkedInputs = [
  {
    name: 'job_prefix',
    variable: 'HOSTED_RUNNER_JOB_PREFIX',
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,62}$/,
    expected: 'a letter or digit, then up to 62 letters, digits, _, ., : or -',
  },
  {
    name: 'aws_role_arn',
    variable: 'OIDC_ROLE_ARN',
    pattern: /^arn:aws[a-z-]{0,10}:iam::[0-9]{12}:role\/[A-Za-z0-9+=,.@_/-]{1,512}$/,
    expected: 'the ARN of a role, such as arn:aws:iam::123456789012:role/deploy',
  },
  {
    name: 'aws_region',
    variable: 'OIDC_REGION',
    pattern: /^[a-z]{2,4}(?:-[a-z]{2,10}){1,3}-[0-9]{1,2}$/,
    expected: 'a region, such as eu-west-1',
  },
] as const satisfies readonly CheckedInput[];

export function checkedInput(name: (typeof checkedInputs)[number]['name']) {
  const { variable, expected } = checkedInputs.find((one) => one.name === name) as CheckedInput;
  return { name, type: 'string', default: '', expected, variable } satisfies Partial<TemplateInput>;
}
