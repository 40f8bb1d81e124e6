import { gitlabUrlPattern, readGitLabUrl } from '../rules/gitlab-address.ts';
import { type Accepts, accepted, expected } from './values.ts';

const what = 'an https:// URL (http:// only for loopback)';

/** GitLab's own address without a slash at its end; the token is sent there, so no plain http. */
export function gitlabUrl(): Accepts<string> {
  return {
    type: 'text',
    told: 'URL',
    jsonSchema: { type: 'string', pattern: gitlabUrlPattern.source },
    read(value) {
      if (typeof value !== 'string' || !gitlabUrlPattern.test(value)) return expected(what, value);
      const read = readGitLabUrl(value);
      return read.kind === 'url' ? accepted(read.url) : expected(what, value, `: ${read.reason}`);
    },
  };
}
