import { DeployError } from './deploy-error.ts';
import { badUsage } from './input-errors.ts';

/** Errors of the embedded sandbox. One function a code. */

/** Two sandboxes in one folder would write over each other. */
export function sandboxRunsAlready({ folder, url }: { folder: string; url: string }): DeployError {
  return new DeployError({
    code: 'SandboxRunsAlready',
    what: `The sandbox in ${folder} runs already, at ${url}.`,
    now: 'It was not disturbed.',
    fix: [
      'Use the one that runs: export what it printed when it was started.',
      {
        say: 'Or start another one beside it',
        command: 'sandbox',
        more: '--folder FOLDER',
        isAlone: true,
      },
    ],
  });
}

/** It has to be a folder that can be written to, or a place for one. */
export function sandboxFolderUnusable({
  folder,
  code,
}: {
  folder: string;
  code: string;
}): DeployError {
  return badUsage({
    what: `${folder} cannot hold the state of the sandbox (${code}).`,
    fix: [
      {
        say: 'Name a folder that can be written to, or where one can be made',
        command: 'sandbox',
        more: '--folder FOLDER',
        isAlone: true,
      },
    ],
  });
}

/** The file of --env holds a token: it is written only as a file of its owner alone. */
export function sandboxEnvUnusable({ path, why }: { path: string; why: string }): DeployError {
  return badUsage({
    what: `The exports cannot be written to --env ${JSON.stringify(path)}.`,
    why,
    fix: [
      {
        say: 'Name a file in a folder that you may write to',
        command: 'sandbox',
        more: '--env FILE',
        isAlone: true,
      },
    ],
  });
}

export function sandboxPortTaken(port: number): DeployError {
  return new DeployError({
    code: 'SandboxPortTaken',
    what: `Port ${port} of 127.0.0.1 is taken.`,
    now: 'Nothing was started.',
    fix: [{ say: 'Let it take any free one', command: 'sandbox', more: '--port 0', isAlone: true }],
  });
}

/** What was named is no gitlab-runner that can be started here. */
export function runnerBinaryUnusable(path: string): DeployError {
  return new DeployError({
    code: 'RunnerBinaryUnusable',
    what: `${path} is no gitlab-runner that can be started here.`,
    why: ['It did not tell its version: gitlab-runner --version.'],
    now: 'Nothing was started.',
    fix: [
      {
        say: 'Name the program itself, built for this computer',
        command: 'sandbox',
        more: '--runner-binary /usr/bin/gitlab-runner',
        isAlone: true,
      },
    ],
  });
}

/** A word that this signal does not know, or an alarm that is not there. */
export function sandboxRefused({ says, why }: { says: string; why: string }): DeployError {
  return badUsage({
    what: `The sandbox takes no ${JSON.stringify(says)} for this signal.`,
    why: why.replace(/^✖ /, '').replaceAll(/\s*\n\s*→ at \S+/g, ''),
    fix: [
      { say: 'See what each may say', command: 'sandbox signal', more: '--help', isAlone: true },
    ],
  });
}

export function sandboxUnreachable(url: string): DeployError {
  return new DeployError({
    code: 'SandboxUnreachable',
    what: `No sandbox answers at ${url}.`,
    why: ['HOSTED_RUNNER_SANDBOX_URL says that it is there.'],
    now: 'Nothing was touched.',
    fix: [{ say: 'Start it again and export what it prints', command: 'sandbox', isAlone: true }],
  });
}

export function sandboxUnknown(): DeployError {
  return new DeployError({
    code: 'SandboxUnknown',
    what: 'Which sandbox is meant is not known: HOSTED_RUNNER_SANDBOX_URL is not set.',
    now: 'Nothing was touched.',
    fix: [{ say: 'Start one and export what it prints', command: 'sandbox', isAlone: true }],
  });
}
