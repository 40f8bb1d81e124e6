import type { CommandExit, SetupGitLabOptions } from '../../cli/handler-types.ts';
import type { ManualStep } from '../../cli/terminal/setup-view.ts';
import type { StackSettings } from '../../domain/settings.ts';
import { badUsage } from '../../errors/input-errors.ts';
import type { SettingDifference } from '../../operator/project-setup.ts';
import { restrictCalls } from '../compose/compose.ts';
import { openGitLab } from '../compose/gitlab-opening.ts';
import { chooseStacks } from '../many-stacks/stack-choice.ts';
import type { Program } from '../process-program.ts';
import { questionOf } from '../question.ts';

/** An operator waits for the command. */
const limits = { attempts: 3, attemptMs: 15_000 };

/** Shows what to change in the project that deploys, and sets it after a confirmation. */
export async function setUpProject(
  program: Program,
  options: SetupGitLabOptions,
): Promise<CommandExit> {
  const stacks = await chooseStacks(program, options);
  const setup = await readSetup(program, options, stacks);
  const [{ confirmChanges, planSetup }, { renderChanges }] = await Promise.all([
    import('../../operator/project-setup.ts'),
    import('../../cli/terminal/setup-view.ts'),
  ]);
  const { changes, manual, unread } = planSetup(setup.settings);
  const { columns } = program.style();
  program.show(
    changes.length === 0
      ? `Nothing to change in ${setup.project}.\n`
      : `Changes in ${setup.project}:\n${await renderChanges(changes, columns)}\n`,
  );
  const refused: ManualStep[] = [];
  if (changes.length > 0 && !options.dryRun) {
    const { consentOf } = await import('../../operator/confirm.ts');
    const prompt = questionOf(program, { command: 'setup', runner: '' });
    await confirmChanges(consentOf(options.yes, prompt));
    refused.push(...(await apply(program, changes)));
  }
  await showSteps(program, [...refused, ...unread, ...manual], setup.steps);
  if (options.dryRun && changes.length > 0) program.show('Nothing was changed (--dry-run).\n');
  return refused.length + unread.length > 0 ? 1 : 0;
}

async function readSetup(
  program: Program,
  options: SetupGitLabOptions,
  stacks: readonly StackSettings[],
) {
  const ofGitLab = stacks.filter(({ github }) => github === undefined);
  const [first] = ofGitLab;
  if (first === undefined || ofGitLab.some(({ gitlabUrl }) => gitlabUrl !== first.gitlabUrl))
    throw badUsage({
      what: 'The stacks do not have one GitLab in common.',
      why: 'The command sets one project, on the GitLab of gitlab.url.',
      fix: [
        { text: 'Name one stack with runners: gitlab', command: 'setup gitlab', runner: 'NAME' },
      ],
    });
  const project = options.project ?? (await findProject(program));
  restrictCalls(first, program.budget);
  const { signal } = program;
  const client = await openGitLab(program, { ...first, signal: () => signal, limits });
  const { readProjectSetup } = await import('../../adapters/gitlab/project/setup-settings.ts');
  return readProjectSetup({
    client,
    project,
    runnerNames: ofGitLab.map(({ runnerName }) => runnerName),
    token: {
      scope: `${options.deploymentEnvironment}/*`,
      value: options.storeToken ? readToken(program) : undefined,
    },
  });
}

function readToken({ environment }: Program): string {
  const token = environment['HOSTED_RUNNER_GITLAB_TOKEN']?.trim() ?? '';
  if (token !== '') return token;
  throw badUsage({
    what: '--store-token needs a token in HOSTED_RUNNER_GITLAB_TOKEN.',
    fix: ['Set the token of the deployment in the variable HOSTED_RUNNER_GITLAB_TOKEN.'],
  });
}

/** Returns the project of the job, or else of the git remote. */
async function findProject({ environment, folder }: Program): Promise<string> {
  const { CI_PROJECT_ID: ofJob } = environment;
  if (environment['GITLAB_CI'] === 'true' && ofJob) return ofJob;
  const { parseRemote } = await import('../../cli/starting/repository.ts');
  const remote = parseRemote((await folder.read('.git/config').catch(() => undefined)) ?? '');
  if (remote !== undefined && remote.host !== 'github.com') return remote.path;
  throw badUsage({
    what: 'The git remote of this folder names no project on GitLab.',
    fix: [{ text: 'Name it', command: 'setup gitlab --project acme/runners' }],
  });
}

/** Sets every change. Returns the refused ones. */
async function apply(
  program: Program,
  changes: readonly SettingDifference[],
): Promise<readonly ManualStep[]> {
  const { applyChange } = await import('../../operator/project-setup.ts');
  const refused: ManualStep[] = [];
  // One after another: two changes of one project could overwrite each other.
  for (const change of changes) {
    const { setting } = change;
    const refusal = await applyChange(change);
    if (refusal === undefined) program.show(`✔ Set ${setting.name}: ${setting.wanted}.\n`);
    else refused.push({ ...setting, refusal });
  }
  return refused;
}

async function showSteps(
  program: Program,
  manual: readonly ManualStep[],
  steps: readonly string[],
): Promise<void> {
  const { renderManualSteps } = await import('../../cli/terminal/setup-view.ts');
  program.show(`\nManual steps:\n${renderManualSteps(manual, steps)}\n`);
}
