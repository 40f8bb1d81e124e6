import { DeployError } from './deploy-error.ts';
import { badUsage } from './input-errors.ts';

/** Errors of the embedded sandbox. One function per code. */

/** A second sandbox in one folder: both would overwrite the same files. */
export function sandboxRunsAlready({ folder, url }: { folder: string; url: string }): DeployError {
  return new DeployError({
    code: 'SandboxRunsAlready',
    what: `A sandbox is already running in ${folder}, at ${url}.`,
    now: 'The running sandbox was not changed.',
    fix: [
      'Use the running sandbox: export the variables that it printed when it started.',
      {
        text: 'Or start a second one',
        command: 'sandbox',
        more: '--folder FOLDER',
        isAlone: true,
      },
    ],
  });
}

/** The folder for temporary files, in which the demo keeps its sandboxes. */
export function demoFolderUnusable({
  folder,
  reason,
}: {
  folder: string;
  reason: string;
}): DeployError {
  return badUsage({
    what: `The demo cannot create a folder in ${folder} (${reason}).`,
    why: 'The variable TMPDIR, or otherwise /tmp, names the folder for temporary files.',
    fix: [
      { text: 'Name a writable folder', command: 'demo', variable: 'TMPDIR=/tmp', isAlone: true },
    ],
  });
}

/** A folder that cannot be written or created. */
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
        text: 'Name a writable folder, or a new one in a writable folder',
        command: 'sandbox',
        more: '--folder FOLDER',
        isAlone: true,
      },
    ],
  });
}

/** The file of --env contains a token: it is written only if it belongs to its owner alone. */
export function sandboxEnvUnusable({ path, why }: { path: string; why: string }): DeployError {
  return badUsage({
    what: `The exports cannot be written to --env ${JSON.stringify(path)}.`,
    why,
    fix: [
      {
        text: 'Name a file in a writable folder',
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
    what: `Port ${port} of 127.0.0.1 is already in use.`,
    now: 'Nothing was started.',
    fix: [{ text: 'Use any free port', command: 'sandbox', more: '--port 0', isAlone: true }],
  });
}

/** The named file is no gitlab-runner that can be started here. */
export function runnerBinaryUnusable(path: string): DeployError {
  return new DeployError({
    code: 'RunnerBinaryUnusable',
    what: `${path} cannot be started as gitlab-runner on this computer.`,
    why: ['With --version, it did not print a version of gitlab-runner.'],
    now: 'Nothing was started.',
    fix: [
      {
        text: 'Name a gitlab-runner that is built for this computer',
        command: 'sandbox',
        more: '--runner-binary /usr/bin/gitlab-runner',
        isAlone: true,
      },
    ],
  });
}

/** An unknown value of a signal, or an alarm that does not exist. */
export function sandboxRefused({
  value,
  target,
  why,
}: {
  value: string;
  /** Name of the signal. */
  target: string;
  why: string;
}): DeployError {
  return badUsage({
    what: `The sandbox does not accept ${JSON.stringify(value)} for ${target}.`,
    why: why.replace(/^✖ /, '').replaceAll(/\s*\n\s*→ at \S+/g, ''),
    fix: [
      {
        text: 'List the signals and their values',
        command: 'sandbox signal',
        more: '--help',
        isAlone: true,
      },
    ],
  });
}

export function sandboxUnreachable(url: string): DeployError {
  return new DeployError({
    code: 'SandboxUnreachable',
    what: `No sandbox responds at ${url}.`,
    why: ['HOSTED_RUNNER_SANDBOX_URL names this address.'],
    now: 'Nothing was touched.',
    fix: [
      {
        text: 'Start it again and export the variables that it prints',
        command: 'sandbox',
        isAlone: true,
      },
    ],
  });
}

export function sandboxUnknown(): DeployError {
  return new DeployError({
    code: 'SandboxUnknown',
    what: 'No sandbox is selected: HOSTED_RUNNER_SANDBOX_URL is not set.',
    now: 'Nothing was touched.',
    fix: [
      {
        text: 'Start one and export the variables that it prints',
        command: 'sandbox',
        isAlone: true,
      },
    ],
  });
}
