import { DeployError } from './deploy-error.ts';
import { badUsage } from './input.ts';

/** Errors of the embedded sandbox. One function a code. */

/** Two sandboxes in one folder would write over each other. */
export function sandboxRunsAlready({ folder, url }: { folder: string; url: string }): DeployError {
  return new DeployError({
    code: 'SandboxRunsAlready',
    exitCode: 2,
    what: `The sandbox in ${folder} runs already, at ${url}.`,
    now: 'It was not disturbed.',
    fix: [
      'Use the one that runs: export what it printed when it was started.',
      'Or start another one beside it: hosted-runner sandbox --folder FOLDER',
    ],
  });
}

export function sandboxPortTaken(port: number): DeployError {
  return new DeployError({
    code: 'SandboxPortTaken',
    exitCode: 2,
    what: `Port ${port} of 127.0.0.1 is taken.`,
    now: 'Nothing was started.',
    fix: ['Let it take any free one: hosted-runner sandbox --port 0'],
  });
}

/** What was named is no gitlab-runner that can be started here. */
export function runnerBinaryUnusable(path: string): DeployError {
  return new DeployError({
    code: 'RunnerBinaryUnusable',
    exitCode: 2,
    what: `${path} is no gitlab-runner that can be started here.`,
    why: ['It did not tell its version: gitlab-runner --version.'],
    now: 'Nothing was started.',
    fix: [
      'Name the program itself, built for this computer: hosted-runner sandbox --runner-binary /usr/bin/gitlab-runner',
    ],
  });
}

/** A word that this signal does not know, or an alarm that is not there. */
export function sandboxRefused({ says, why }: { says: string; why: string }): DeployError {
  return badUsage({
    what: `The sandbox takes no ${JSON.stringify(says)} for this signal.`,
    why: why.replace(/^✖ /, '').replaceAll(/\s*\n\s*→ at \S+/g, ''),
    fix: ['See what each may say: hosted-runner sandbox signal --help'],
  });
}

export function sandboxUnreachable(url: string): DeployError {
  return new DeployError({
    code: 'SandboxUnreachable',
    exitCode: 1,
    what: `No sandbox answers at ${url}.`,
    why: ['HOSTED_RUNNER_SANDBOX_URL says that it is there.'],
    now: 'Nothing was touched.',
    fix: ['Start it again and export what it prints: hosted-runner sandbox'],
  });
}
