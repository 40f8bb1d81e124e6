import { capturePackage } from '../run.js';

/**
 * Compiles build/, from which some suites start hosts and managers of the sandbox. Only changed
 * files are written: parallel runs then do not replace each other's files. A type error does not
 * stop the tests: tsc writes its output anyway, and `npm run check` fails.
 */
export default async function compileBeforeTests() {
  const { exitCode, output } = await capturePackage({
    packageName: 'typescript',
    command: 'tsc',
    args: ['--incremental', '--tsBuildInfoFile', 'build/.tsbuildinfo'],
  });
  if (exitCode !== 0) process.stderr.write(`Types do not check; the tests run anyway:\n${output}`);
}
