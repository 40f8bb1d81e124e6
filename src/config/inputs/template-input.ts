/** Input of a GitLab template: https://docs.gitlab.com/ci/inputs/ */
export interface TemplateInput {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'array';
  /** Sentences without markup. */
  readonly description: string;
  /** Absent: GitLab refuses a pipeline without the input. */
  readonly default?: string | boolean | readonly unknown[];
  /**
   * Pattern for strings: RE2 without flags, anchored at both ends. Absent if the default is empty:
   * up to 18.0, GitLab refuses an empty text whatever the pattern. hosted-runner checks such
   * inputs.
   */
  readonly regex?: string;
  /** Expected value, for inputs that GitLab does not check. */
  readonly expected?: string;
  /** Variable that passes the input to hosted-runner. */
  readonly variable?: string;
}
