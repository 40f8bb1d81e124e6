import { parseArgs } from 'node:util';
import { PublishProblem, unchanged } from './problem.js';

export const usage = `Usage: npm run publish:gitlab -- --url https://gitlab.example.com --group platform

Brings this project, its components and its image onto your GitLab (17.5 or later).
HOSTED_RUNNER_GITLAB_TOKEN has a token with the scope api of a Maintainer or Owner of the group.
A second run does only the missing work.

Options:
  --url URL             address of GitLab
  --group GROUP         group for the project hosted-runner-deploy
  --visibility LEVEL    private, internal or public; default: that of the group
  --runner-tag TAG      tag of the runner for the pipeline; default: untagged jobs
  --wait-minutes N      longest wait for the pipeline, default 60; 0 does not wait
  --poll-seconds N      pause between two checks of the pipeline, default 5
  --dry-run             print the steps and change nothing
  --yes                 start without a confirmation`;

/** @param {string[]} words */
export function readOptions(words) {
  const { values } = parse(words);
  const help = values.help === true;
  const url = (values.url ?? '').replace(/\/+$/, '');
  const group = (values.group ?? '').replaceAll(/^\/+|\/+$/g, '');
  const problems = help ? [] : findProblems({ ...values, url, group });
  if (problems.length > 0) throw refuse(problems.join(' '));
  return {
    help,
    url,
    group,
    visibility: values.visibility,
    runnerTag: values['runner-tag'],
    waitMs: Number(values['wait-minutes']) * 60_000,
    pollMs: Number(values['poll-seconds']) * 1000,
    dryRun: values['dry-run'] === true,
    yes: values.yes === true,
  };
}

/** @param {string[]} words */
function parse(words) {
  try {
    return parseArgs({
      args: words,
      options: {
        url: { type: 'string' },
        group: { type: 'string' },
        visibility: { type: 'string' },
        'runner-tag': { type: 'string' },
        'wait-minutes': { type: 'string', default: '60' },
        'poll-seconds': { type: 'string', default: '5' },
        'dry-run': { type: 'boolean' },
        yes: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/** @param {{ [name: string]: string | boolean | undefined }} values @returns {string[]} */
function findProblems(values) {
  const { url, group, visibility } = values;
  return [
    isSafe(String(url))
      ? ''
      : `--url is "${url}"; expected an address such as https://gitlab.example.com.`,
    /^[\w.-]+(?:\/[\w.-]+)*$/.test(String(group))
      ? ''
      : `--group is "${group}"; expected a path such as platform or platform/tools.`,
    visibility === undefined || /^(?:private|internal|public)$/.test(String(visibility))
      ? ''
      : `--visibility is "${visibility}"; expected private, internal or public.`,
    /^[\w.:-]*$/.test(String(values['runner-tag'] ?? ''))
      ? ''
      : `--runner-tag is "${values['runner-tag']}"; expected one tag.`,
    ...['wait-minutes', 'poll-seconds'].map((name) =>
      /^\d+(?:\.\d+)?$/.test(String(values[name]))
        ? ''
        : `--${name} is "${values[name]}"; expected a number.`,
    ),
  ].filter(Boolean);
}

/** Accepts HTTPS, and HTTP to this machine only: the token is sent. @param {string} text */
function isSafe(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, search, hash } = new URL(text);
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1';
  return (
    username === '' &&
    search === '' &&
    hash === '' &&
    (protocol === 'https:' || (protocol === 'http:' && isLocal))
  );
}

/** @param {string} why */
function refuse(why) {
  return new PublishProblem({
    what: 'The options are invalid.',
    why,
    now: unchanged,
    fix: [
      'npm run publish:gitlab -- --url https://gitlab.example.com --group platform',
      'npm run publish:gitlab -- --help',
    ],
  });
}
