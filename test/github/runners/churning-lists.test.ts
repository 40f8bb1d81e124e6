import { expect, test } from '@jest/globals';
import { createGitHubClient } from '../../../src/adapters/github/github-client.ts';
import { listRunners } from '../../../src/adapters/github/runners/runners.ts';
import { createTestTransport, json } from '../../transport/fake-server.ts';

const scope = { kind: 'organization', organization: 'acme' } as const;
const runner = (id: number) => ({
  id,
  name: `other-${id}`,
  status: 'paused',
  busy: false,
  labels: [],
});

/**
 * Returns a client whose list loses items between page 1 and page 2, once per entry of `leaving`.
 */
async function clientOf(all: { id: number }[], leaving: number[]) {
  const { transport, redactor, clock } = createTestTransport(async (request) => {
    const page = Number(new URL(request.url).searchParams.get('page'));
    const runners = all.slice((page - 1) * 100, page * 100);
    const gone = page === 1 ? leaving.shift() : undefined;
    const answer = json(200, { total_count: all.length - (gone === undefined ? 0 : 1), runners });
    if (gone !== undefined)
      all.splice(
        all.findIndex(({ id }) => id === gone),
        1,
      );
    return answer;
  });
  const credentials = { kind: 'token', token: 'ghp_secret0000' } as const;
  const url = 'https://api.github.com';
  return createGitHubClient({ url, credentials, transport, redactor, clock });
}

const fleet = () => Array.from({ length: 150 }, (_, index) => runner(index + 1));
const ids = (from: number, to: number, but: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((id) => id !== but);

test('a runner that moves to the previous page is not lost when another runner leaves', async () => {
  const client = await clientOf(fleet(), [5]);
  const listed = (await listRunners(client, scope)).map(({ id }) => id);
  expect(listed).toEqual(ids(1, 150, 5));
});

test('a list that changes at every read is a failure, not a list', async () => {
  const client = await clientOf(fleet(), [1, 2, 3, 4, 5, 6, 7, 8]);
  await expect(listRunners(client, scope)).rejects.toMatchObject({
    kind: 'unexpected',
    detail: expect.stringContaining('no two of 6 reads agree'),
  });
});

test('a foreign runner in an unknown state does not prevent the list', async () => {
  const client = await clientOf([runner(1)], []);
  expect(await listRunners(client, scope)).toHaveLength(1);
});
