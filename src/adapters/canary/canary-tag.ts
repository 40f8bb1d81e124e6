import { createHash } from 'node:crypto';

const maxLength = 200;

/** Returns the tag of one deployment's canary. GitLab cuts tags at 255 characters. */
export function canaryTag(deployment: string, runnerName: string): string {
  const wanted = `canary-${deployment}-${runnerName}`;
  const clean = wanted.replace(/[^\w.-]/g, '-');
  if (clean === wanted && clean.length <= maxLength) return wanted;
  // The digest keeps `a/b` and `a-b` distinct.
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return `${clean.slice(0, maxLength)}-${digest}`;
}
