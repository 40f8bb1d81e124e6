import { gitlabUrl } from '../../domain/keys/gitlab-url.ts';
import { runnerNamePattern } from '../../domain/keys/name-patterns.ts';
import { registrationKeys } from '../../domain/keys/sections/registration-keys.ts';
import type { Checked } from '../../domain/keys/values.ts';
import { capital } from '../../domain/text/capital.ts';
import { show } from '../../domain/text/show.ts';
import type { QuestionPrompt } from '../../operator/confirm.ts';
import { runnerNameRule } from '../arguments.ts';
import type { Repository } from './repository.ts';
import { regionPattern, type StackStart, type StartValues } from './start-values.ts';

/** The operator at a terminal. */
export interface Dialogue {
  readonly prompt: QuestionPrompt;
  readonly show: (text: string) => void;
}

/** Known values; the names of the stacks may be unknown. */
export type KnownValues = Omit<StartValues, 'stacks'> & Partial<Pick<StartValues, 'stacks'>>;

export interface QuestionScope {
  readonly ci: Repository['ci'];
  /** Whether variables files of the root module are written. */
  readonly terraform: boolean;
  /** Whether stacks are added to a configuration, whose other values stay. */
  readonly isAddition: boolean;
}

interface StartQuestion {
  /** Returns whether the value is needed and unknown. */
  readonly isOpen: (values: KnownValues, scope: QuestionScope) => boolean;
  readonly text: (scope: QuestionScope) => string;
  /** Answer for Enter. */
  readonly usual?: (values: KnownValues) => string | undefined;
  /** Returns the values with the answer, or the reason to refuse it. */
  readonly read: (answer: string, values: KnownValues) => KnownValues | string;
}

const mostQuestions = 8;

/**
 * Prompts for the values that are unknown, the most important first. An empty answer without a
 * default leaves the value unknown.
 */
export async function promptForValues(
  known: KnownValues,
  scope: QuestionScope,
  { prompt, show: print }: Dialogue,
): Promise<KnownValues> {
  let values = known;
  let prompts = 0;
  for (const question of questions) {
    if (prompts === mostQuestions || !question.isOpen(values, scope)) continue;
    if (prompts === 0) print(introduction);
    prompts += 1;
    values = await promptUntilValid(question, values, scope, { prompt, show: print });
  }
  const { stacks } = values;
  if (stacks === undefined) return values;
  return { ...values, stacks: stacks.map((one) => ({ tags: usualTags(one), ...one })) };
}

const introduction =
  'Enter accepts the value in brackets. Without a value in brackets, Enter leaves FILL_IN in the files.\n';

async function promptUntilValid(
  { text, usual, read }: StartQuestion,
  values: KnownValues,
  scope: QuestionScope,
  { prompt, show: print }: Dialogue,
): Promise<KnownValues> {
  const proposed = usual?.(values);
  const line = `${text(scope)}${proposed === undefined ? '' : ` [${proposed}]`}: `;
  for (;;) {
    const answer = (await prompt(line)).trim() || (proposed ?? '');
    if (answer === '') return values;
    const next = read(answer, values);
    if (typeof next !== 'string') return next;
    print(`✖ ${next}\n`);
  }
}

const questions: readonly StartQuestion[] = [
  {
    isOpen: ({ stacks }) => stacks === undefined,
    text: () => 'Names of the stacks',
    usual: () => 'linux',
    read: (answer, values) => {
      const names = wordsOf(answer);
      const wrong = names.find((name) => !runnerNamePattern.test(name));
      if (wrong !== undefined)
        return `${show(wrong)} cannot be the name of a stack. ${runnerNameRule}`;
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) return `${twice} is named twice.`;
      return { ...values, stacks: names.map((name) => ({ name })) };
    },
  },
  {
    // The tags of several stacks are their names.
    isOpen: ({ stacks = [] }) => stacks.length === 1 && stacks[0]?.tags === undefined,
    text: () => 'Tags that customers use in their jobs',
    usual: ({ stacks: [stack] = [] }) => stack && usualTags(stack)?.join(),
    read: (answer, values) =>
      accept(registrationKeys.tags.accepts.read(wordsOf(answer)), (tags) => ({
        ...values,
        stacks: (values.stacks ?? []).map(({ name }) => ({ name, tags })),
      })),
  },
  {
    isOpen: ({ gitlabUrl: url }, { terraform, isAddition }) =>
      url === undefined && (terraform || !isAddition),
    text: () => 'Address of GitLab, such as https://gitlab.example.com',
    read: (answer, values) =>
      // The address is also written to Terraform's variables, in quotes.
      /["$%{}]/.test(answer)
        ? `${show(answer)} is no address of GitLab.`
        : accept(gitlabUrl().read(answer), (url) => ({ ...values, gitlabUrl: url })),
  },
  {
    isOpen: ({ groupId }, { isAddition }) => groupId === undefined && !isAddition,
    text: () => 'Id of the GitLab group whose jobs run on the stacks',
    read: (answer, values) =>
      accept(registrationKeys.groupId.accepts.read(numberOf(answer)), (id) => ({
        ...values,
        groupId: String(id),
      })),
  },
  {
    isOpen: ({ publisher }) => publisher === undefined,
    text: ({ ci }) =>
      ci === 'gitlab'
        ? 'Group that publishes hosted-runner-deploy on your GitLab'
        : 'User or organization that publishes hosted-runner-deploy on your GitHub',
    read: matching(
      /^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/,
      'a path such as acme/tools',
      (publisher) => ({ publisher }),
    ),
  },
  {
    isOpen: ({ runnerTags }) => runnerTags === undefined,
    text: ({ ci }) =>
      ci === 'gitlab'
        ? "Tags of the runner that runs the deployment's jobs"
        : "Labels of the self-hosted runner that runs the deployment's jobs",
    read: (answer, values) => {
      const tags = wordsOf(answer);
      const own = values.stacks?.find((stack) =>
        tags.every((tag) => (stack.tags ?? usualTags(stack))?.includes(tag)),
      );
      if (own !== undefined)
        return `The runners of ${own.name} take jobs with these tags, and would drain themselves. Name the tags of another runner.`;
      return accept(registrationKeys.tags.accepts.read(tags), (runnerTags) => ({
        ...values,
        runnerTags,
      }));
    },
  },
  {
    isOpen: ({ region }, { ci, terraform }) =>
      region === undefined && (terraform || ci === 'github'),
    text: () => 'AWS region, such as eu-west-1',
    read: matching(regionPattern, 'a region, such as eu-west-1', (region) => ({ region })),
  },
  {
    isOpen: ({ bucket }, { terraform, isAddition }) =>
      bucket === undefined && terraform && !isAddition,
    text: () => "Name of the bucket for Terraform's states, which bootstrap/ creates",
    // As in terraform/bootstrap/variables.tf.
    read: matching(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      '3 to 63 lower-case letters, digits, dots and hyphens',
      (bucket) => ({ bucket }),
    ),
  },
  {
    isOpen: ({ subnets }, { terraform }) => subnets === undefined && terraform,
    text: () => 'Ids of the subnets of the runner managers',
    read: (answer, values) => {
      const subnets = wordsOf(answer);
      const wrong = subnets.find((id) => !/^subnet-[0-9a-f]{8,17}$/.test(id));
      if (wrong !== undefined)
        return `${show(wrong)} is no subnet: an id is subnet- and 8 to 17 hexadecimal digits.`;
      return { ...values, subnets };
    },
  },
];

/** Returns the name as the tag, unless the configuration refuses this tag. */
function usualTags({ name }: StackStart): readonly string[] | undefined {
  return registrationKeys.tags.accepts.read([name]).kind === 'value' ? [name] : undefined;
}

function matching(
  pattern: RegExp,
  expected: string,
  valuesOf: (answer: string) => Partial<KnownValues>,
): StartQuestion['read'] {
  return (answer, values) =>
    pattern.test(answer)
      ? { ...values, ...valuesOf(answer) }
      : `Expected ${expected}, found ${show(answer)}.`;
}

/** Returns the converted value, or the reasons of the configuration to refuse it. */
function accept<Value, Result>(
  checked: Checked<Value>,
  into: (value: Value) => Result,
): Result | string {
  if (checked.kind === 'value') return into(checked.value);
  return `${capital(checked.issues.map(({ message }) => message).join('; '))}.`;
}

function wordsOf(answer: string): string[] {
  return answer.split(/[\s,]+/).filter((word) => word !== '');
}

/** Returns the number of a whole text; other texts stay, and are refused as such. */
function numberOf(answer: string): unknown {
  return /^\d{1,15}$/.test(answer) ? Number(answer) : answer;
}
