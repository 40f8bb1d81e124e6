/** One input of a GitLab template: https://docs.gitlab.com/ci/inputs/ */
export interface TemplateInput {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'array';
  /** Sentences without markup. */
  readonly description: string;
  /** Absent: GitLab refuses a pipeline that does not give it. */
  readonly default?: string | boolean | readonly unknown[];
  /**
   * For strings: RE2 without flags, anchored at both ends. Not for those whose default is empty:
   * up to 18.0 GitLab refuses an empty text whatever the pattern says. The program checks these.
   */
  readonly regex?: string;
  /** What the program expects, where GitLab checks nothing. */
  readonly expected?: string;
  /** The variable that carries it to the program. */
  readonly variable?: string;
}
