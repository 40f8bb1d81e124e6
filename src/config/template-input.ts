/** One input of a GitLab template: https://docs.gitlab.com/ci/inputs/ */
export interface TemplateInput {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'array';
  /** Sentences without markup. */
  readonly description: string;
  /** Absent: GitLab refuses a pipeline that does not give it. */
  readonly default?: string | boolean | readonly unknown[];
  /** For strings: RE2 without flags, anchored at both ends. */
  readonly regex?: string;
  /** The variable that carries a key of the configuration to the program. */
  readonly variable?: string;
}
