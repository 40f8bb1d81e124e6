import { capturePackage } from '../run.js';

/**
 * Hosts and managers of the sandbox, which some suites start, run from build/. Only changed files are
 * written, so that two runs side by side do not pull files from under each other.
 * A type error is no reason to stop here: tsc writes its output anyway, and `npm run check` fails.
 */
export default async function compileBeforeTests() {
  const { exitCode, output } = await capturePackage({
    packageName: 'typescript',
    command: 'tsc',
    args: ['--incremental', '--tsBuildInfoFile', 'build/.tsbuildinfo'],
  });
  if (exitCode !== 0) process.stderr.write(`Types do not check; the tests run anyway:\n${output}`);
}
