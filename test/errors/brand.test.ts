import { expect, jest, test } from '@jest/globals';
import { DeployError, isDeployError } from '../../src/errors/deploy-error.ts';
import { asDeployError } from '../../src/errors/external-errors.ts';

test('an error of the sandbox counts as a DeployError despite its separate class', async () => {
  const other = await otherClass();
  const error = new other({ code: 'SandboxRunsAlready', exitCode: 2, what: 'It is used.' });
  expect(error).not.toBeInstanceOf(DeployError);
  expect(isDeployError(error)).toBe(true);
  expect(asDeployError(error, 'hosted-runner sandbox')).toBe(error);
});

test.each([[new Error('x')], [undefined], [null], ['DeployError'], [{ name: 'DeployError' }]])(
  'no other value counts as a DeployError: %p',
  (other) => {
    expect(isDeployError(other)).toBe(false);
  },
);

async function otherClass(): Promise<typeof DeployError> {
  jest.resetModules();
  const { DeployError: other } = await import('../../src/errors/deploy-error.ts');
  return other;
}
