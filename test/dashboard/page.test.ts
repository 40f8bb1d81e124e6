import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { contentPolicy, renderDashboard, renderMain } from '../../src/report/dashboard/page.ts';
import { failed } from './fleets.ts';
import { draining, fresh, hostileStack, now, sightOf, three, unread } from './stacks.ts';

/** Returns the visible texts of a part of the page, one line per cell and paragraph. */
function textOf(markup: string): string[] {
  return markup
    .replace(/<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<\/?(?:dt|dd|p|li|td|th|h2|h3|tr|div|section|ul|dl|article)\b[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const shown = textOf(renderMain(three));
const after = (name: string, from = 0) => shown[shown.indexOf(name, from) + 1];

describe('the dashboard page', () => {
  test('begins with one line for every stack', () => {
    expect(shown.slice(0, 25)).toEqual([
      '3 stacks, as of 2026-11-02 10:12 UTC.',
      ...['stack', 'accepts jobs', 'phase', 'jobs', 'lock', 'checked'],
      ...['linux', 'pink', 'draining, 12m', '1', 'locked', '2026-11-02 10:12 UTC'],
      ...['windows', '✖ none is verified', '-', '0', '-', '2026-11-02 10:12 UTC'],
      ...['lost', 'not known', 'not known', 'not known', 'not known'],
      '✖ PermissionMissing',
    ]);
  });

  test('shows the phase and lock of a stack, and each shard with its runners and jobs', () => {
    const linux = textOf(renderMain({ now, stacks: [sightOf(draining)] })).slice(1);
    expect(linux).toMatchSnapshot();
  });

  test('shows an absent shard in one line, and leaves out empty values', () => {
    const windows = textOf(renderMain({ now, stacks: [sightOf(fresh)] }));
    expect(windows.slice(1)).toEqual([
      'windows',
      '✖ No shard is active yet: there is no deployment_status. No deployment is recorded.',
      'pink is absent: it has no runner and no host.',
      'purple is absent: it has no runner; its hosts are not known: host.access is none.',
      'Last deployments',
      'No deployment is recorded.',
    ]);
  });

  test('states only once which shard accepts jobs', () => {
    const linux = textOf(renderMain({ now, stacks: [sightOf(draining)] }));
    expect(linux.filter((text) => text.includes('its process runs'))).toEqual([
      '✔ pink accepts jobs: its process runs. purple is draining.',
    ]);
  });

  test('shows the next command below the verdict, and failed and rolled back deployments', () => {
    const texts = textOf(renderMain({ now, stacks: [sightOf(failed)] }));
    expect(texts.slice(2, 5)).toEqual([
      '! purple accepts jobs: its process runs. pink is built and in quarantine.',
      'The candidate failed its healthcheck (pink: 2 unhealthy verdicts in a row).',
      'Next: hosted-runner recover --runner linux --method replace',
    ]);
    expect(texts.slice(texts.indexOf('cost') + 1)).toEqual([
      ...['not finished', 'failed', 'deploy', 'pink', '101-5001', 'not known'],
      ...['2026-10-28 07:10 UTC', 'finished', 'rollback', 'purple', '100-4900', 'not known'],
      ...['2026-10-27 07:10 UTC', 'rolled back', 'deploy', 'pink', '99-4800', 'not known'],
    ]);
  });

  test('shows the error and the next command of a stack that cannot be read', () => {
    const lost = shown.slice(shown.lastIndexOf('lost'));
    expect(lost).toEqual([
      'lost',
      '✖ SSM GetParameter: the call is not permitted.',
      'why',
      '&quot;AccessDeniedException&quot;',
      'fix',
      'Grant the permission named above.',
      'Then run it again: hosted-runner status --runner lost',
      'ref',
      'hosted-runner explain PermissionMissing',
    ]);
  });

  test('keeps earlier data beside the error of a later read, with its age', () => {
    const { seen } = sightOf(draining);
    const old = {
      ...unread,
      ...(seen === undefined ? {} : { seen: { ...seen, at: now - 900_000 } }),
    };
    const texts = textOf(renderMain({ now, stacks: [old] }));
    expect(texts).toContain('This data is from 2026-11-02 09:57 UTC, 15m ago.');
    expect(texts).toContain('✔ pink accepts jobs: its process runs. purple is draining.');
  });

  test('contains neither raw timestamps nor raw values', () => {
    expect(shown.join('\n')).not.toMatch(/\d\dT\d\d:|\.000Z|jobs=|two_shards|undefined|null|NaN/);
    expect(after('cost')).toBe('not finished');
    expect(shown).toContain('2026-10-28 07:10 UTC');
    expect(shown).toContain(
      '3 jobs finished, 0 lost or interrupted; longest wait: 41s; two shards for 21m',
    );
  });
});

describe('a name from another system', () => {
  const page = renderDashboard({ now, stacks: [hostileStack(), unread] }, { kind: 'file' });

  test('appears as text everywhere', () => {
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toMatch(/<(?:script|img)/);
    expect([...page.matchAll(/<[a-z][^>]*>/g)].join('\n')).not.toContain('alert');
  });

  test('becomes a link only if it is a web address', () => {
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, url]) => url);
    expect(links).toEqual(['#stack-linux', '#stack-lost']);
  });
});

describe('the content policy of the page', () => {
  const livePage = renderDashboard(three, { kind: 'served', reloadSeconds: 30 });
  const hashes = (page: string, tag: string) =>
    [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(
      ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );

  test('permits only the page’s own style and script, by hash', () => {
    const [style] = hashes(livePage, 'style');
    const [script] = hashes(livePage, 'script');
    expect(contentPolicy).toBe(
      `default-src 'none'; style-src ${style}; script-src ${script}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect(livePage).not.toMatch(/ style=| on[a-z]+=|src=/);
  });

  test('permits no script in a file, which contains none', () => {
    const file = renderDashboard(three, { kind: 'file' });
    expect(hashes(file, 'script')).toEqual([]);
    expect(file).not.toMatch(/script-src|connect-src|http-equiv="refresh"/);
  });

  test('permits a page that reloads without JavaScript', () => {
    expect(livePage).toContain('<noscript><meta http-equiv="refresh" content="30"></noscript>');
    expect(livePage).toContain('Not live: this page shows the state at the time it was loaded.');
  });
});
