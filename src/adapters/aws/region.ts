import { STS } from '@aws-sdk/client-sts';

/**
 * What every client of this process takes for its region, as AWS's SDK finds it: by AWS_REGION, the
 * profile, or the metadata of the instance that this runs on, which is asked for two seconds at most.
 * Undefined where none of them says one; what is said need not be the name of a region. No service is asked.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-region.html
 */
export async function findRegion(): Promise<string | undefined> {
  const client = new STS({});
  try {
    return await client.config.region();
  } catch (error) {
    const { message } = error as Error;
    if (message === 'Region is missing') return undefined;
    const [, word] = /^Region not accepted: region="(.*)" is/s.exec(message) ?? [];
    if (word === undefined) throw error;
    return word;
  } finally {
    client.destroy();
  }
}
