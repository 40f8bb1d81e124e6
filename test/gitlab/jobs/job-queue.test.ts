import { describe, expect, test } from '@jest/globals';
import { json } from '../../transport/fake-server.ts';
import { openRegistry } from '../runners/scripted-registry.ts';
import { html, page } from '../scripted-gitlab.ts';

const shop = 'GET /projects/acme/shop/jobs';
const web = 'GET /projects/acme/web/jobs';
const job = (id: number, more: object = {}) => ({
  id,
  name: 'build',
  status: 'pending',
  tag_list: ['linux'],
  runner: null,
  ...more,
});
const gone = json(404, { message: '404 Project Not Found' });

describe('waiting jobs', () => {
  test('include the jobs of each project that have no runner', async () => {
    const { registry, sent } = openRegistry({
      [shop]: page([
        job(9),
        job(8, { runner: { id: 48213 } }),
        job(7, { status: 'running' }),
        job(6, { tag_list: [] }),
      ]),
    });
    await expect(registry.listWaitingJobs(['acme/shop'])).resolves.toEqual({
      jobs: [
        { id: '9', name: 'build', project: 'acme/shop', tags: ['linux'] },
        { id: '6', name: 'build', project: 'acme/shop', tags: [] },
      ],
      unread: [],
      missing: [],
    });
    expect(sent).toEqual([shop]);
  });

  test('report a project without access as missing, and show the jobs of the others', async () => {
    const { registry } = openRegistry({ [shop]: gone, [web]: page([job(9)]) });
    await expect(registry.listWaitingJobs(['acme/shop', 'acme/web'])).resolves.toMatchObject({
      jobs: [{ id: '9', project: 'acme/web' }],
      unread: [],
      missing: ['acme/shop'],
    });
  });

  test.each([
    ['403', json(403, { message: '403 Forbidden' }), /403 Forbidden/],
    ['a 404 that is not GitLab’s', html(404), /./],
    ['jobs without tags in the response', page([{ ...job(9), tag_list: undefined }]), /tag_list/],
  ])('count as unread, never as none, behind %s', async (_, answer, detail) => {
    const { registry } = openRegistry({ [shop]: answer });
    await expect(registry.listWaitingJobs(['acme/shop'])).resolves.toEqual({
      jobs: [],
      unread: [{ project: 'acme/shop', detail: expect.stringMatching(detail) }],
      missing: [],
    });
  });
});
