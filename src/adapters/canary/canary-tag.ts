import { createHash } from 'node:crypto';

const maxLength = 200;

/** The tag that only one deployment's canary asks for. GitLab cuts tags at 255 characters. */
export function canaryTag(deployment: string, runnerName: string): string {
  const wanted = `canary-${deployment}-${runnerName}`;
  const clean = wanted.replace(/[^\w.-]/g, '-');
  if (clean === wanted && clean.length <= maxLength) return wanted;
  // `a/b` and `a-b` must not become the same tag.
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return `${clean.slice(0, maxLength)}-${digest}`;
}
