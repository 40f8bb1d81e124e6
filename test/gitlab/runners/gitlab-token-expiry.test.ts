import { describe, expect, test } from '@jest/globals';
import { json } from '../../transport/fake-server.ts';
import { id, openRegistry } from './scripted-registry.ts';

const graphQl = 'POST /api/graphql';
const endsAt = '2026-12-01T10:00:00Z';
const says = (tokenExpiresAt: string | null) => json(200, { data: { runner: { tokenExpiresAt } } });

describe('when a token ends', () => {
  test('is said by GraphQL of the token of now', async () => {
    const { registry } = openRegistry({ [graphQl]: says(endsAt) });
    expect(await registry.readTokenEnding(id)).toEqual({ kind: 'ends', at: endsAt });
  });

  test.each([
    ['null: it may end, and not be shown to us', says(null)],
    ['a runner that is not shown', json(200, { data: { runner: null } })],
    ['a version without the field', json(200, { errors: [{ message: "Field doesn't exist" }] })],
    ['a token that opens no GraphQL', json(401, { errors: [{ message: 'Invalid token' }] })],
  ])('is not known from %s', async (_name, answer) => {
    const { registry } = openRegistry({ [graphQl]: answer });
    expect(await registry.readTokenEnding(id)).toEqual({ kind: 'unknown' });
  });

  test('is told with a token that is made, and nothing is told of one that never ends', async () => {
    const reset = 'POST /runners/48213/reset_authentication_token';
    const answer = (at: string | null) =>
      json(201, { token: 'glrt-MADEUP2', token_expires_at: at });
    const { registry } = openRegistry({ [reset]: [answer(endsAt), answer(null)] });
    expect(await registry.resetToken(id)).toEqual({ token: 'glrt-MADEUP2', expiresAt: endsAt });
    expect(await registry.resetToken(id)).toEqual({ token: 'glrt-MADEUP2' });
  });
});
