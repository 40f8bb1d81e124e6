import { z } from 'zod';
import { gitlabUrlPattern, readGitLabUrl } from '../rules/gitlab-address.ts';
import { show } from '../show.ts';

const what = 'an https:// URL (http:// only for loopback)';

/** GitLab's own address without a slash at its end; the token is sent there, so no plain http. */
export function gitlabUrl() {
  const error = (issue: { readonly input?: unknown }) =>
    `expected ${what}, found ${show(issue.input)}`;
  return z
    .string({ error })
    .regex(gitlabUrlPattern, { error })
    .transform((text, context) => {
      const read = readGitLabUrl(text);
      if (read.kind === 'url') return read.url;
      context.addIssue({
        code: 'custom',
        message: `expected ${what}, found ${show(text)}: ${read.reason}`,
      });
      return z.NEVER;
    })
    .meta({ compiles: 'gitlab_url' });
}
