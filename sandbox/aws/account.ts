/** The made-up account that the sandbox is. */
export const accountId = '123456789012';
export const region = 'eu-west-1';

export function arnOf(resource: string): string {
  return `arn:aws:ssm:${region}:${accountId}:${resource}`;
}
