import { expect, test } from '@jest/globals';
import { createGitLabClient, type GitLabClient } from '../../src/adapters/gitlab/gitlab-client.ts';
import { createCallBudget } from '../../src/adapters/transport/budget.ts';
import { createTestTransport, json } from '../transport/fake-server.ts';
import { createVirtualClock } from '../transport/virtual-clock.ts';

const graphql = (query: string) => (client: GitLabClient) =>
  client.raw.post('../graphql', { body: { query } });

test.each([
  ['a GraphQL query', 'reads', graphql('query { currentUser { id } }')],
  ['a GraphQL query in its short form', 'reads', graphql('{ currentUser { id } }')],
  ['a GraphQL mutation', 'writes', graphql('mutation { jobPlay(input: {}) { errors } }')],
  [
    'a query for another route',
    'writes',
    (one) => one.raw.post('user', { body: { query: '{ a }' } }),
  ],
  ['a change of a runner', 'writes', (one) => one.raw.put('runners/48213', { body: {} })],
  ['a read', 'reads', (one) => one.raw.get('runners/48213')],
] as const satisfies readonly (readonly [string, string, (client: GitLabClient) => unknown])[])(
  '%s takes its turn among the %s',
  async (_, among, call) => {
    const clock = createVirtualClock();
    const usual = createCallBudget({ clock });
    const turns: string[] = [];
    const { transport, redactor } = createTestTransport(async () => json(200, {}), {
      budget: {
        ...usual,
        of(...host) {
          const budget = usual.of(...host);
          return {
            ...budget,
            enter(signal, turn) {
              turns.push(turn?.isWrite === true ? 'writes' : 'reads');
              return budget.enter(signal, turn);
            },
          };
        },
      },
    });
    const url = 'https://gitlab.example.com';
    await call(createGitLabClient({ url, token: 'glpat-MADEUP', transport, redactor }));
    expect(turns).toEqual([among]);
  },
);
