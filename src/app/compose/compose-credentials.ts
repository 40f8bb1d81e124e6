import type { AwsCredentials } from '../../adapters/aws/aws-credentials.ts';
import type { Surroundings } from './compose.ts';

/**
 * Opens the credentials at the first call to AWS: the code is large, and most commands at a
 * terminal do not need it.
 */
export function openCredentials(
  given: Pick<Surroundings, 'environment' | 'clock' | 'random' | 'redactor'>,
): () => Promise<AwsCredentials> {
  const { environment, clock, random, redactor } = given;
  let opened: Promise<AwsCredentials> | undefined;
  const open = async () => {
    const { createAwsCredentials } = await import('../../adapters/aws/aws-credentials.ts');
    return createAwsCredentials({
      ...{ clock, random, environment: { ...environment } },
      redact: redactor.redact,
      keepSecret: redactor.add,
      readIdToken: async (audience) => {
        const { readIdToken } = await import('../../adapters/ci/github/id-token.ts');
        return readIdToken(audience);
      },
    });
  };
  return () => {
    opened ??= open();
    return opened;
  };
}
