import { describe, expect, test } from '@jest/globals';
import { json } from '../../transport/fake-server.ts';
import { id, openRegistry } from './scripted-registry.ts';

const graphQl = 'POST /api/graphql';
const endsAt = '2026-12-01T10:00:00Z';
const responseOf = (tokenExpiresAt: string | null) =>
  json(200, { data: { runner: { tokenExpiresAt } } });

describe('the expiry of a runner token', () => {
  test('comes from GraphQL for the current token', async () => {
    const { registry } = openRegistry({ [graphQl]: responseOf(endsAt) });
    expect(await registry.readTokenEnding(id)).toEqual({ kind: 'ends', at: endsAt });
  });

  test.each([
    ['null: the token may expire, and the date may be hidden', responseOf(null)],
    ['a hidden runner', json(200, { data: { runner: null } })],
    ['a version without the field', json(200, { errors: [{ message: "Field doesn't exist" }] })],
    ['a token that has no GraphQL access', json(401, { errors: [{ message: 'Invalid token' }] })],
  ])('stays unknown with %s', async (_name, answer) => {
    const { registry } = openRegistry({ [graphQl]: answer });
    expect(await registry.readTokenEnding(id)).toEqual({ kind: 'unknown' });
  });

  test('comes with a new token, and is absent if the token never expires', async () => {
    const reset = 'POST /runners/48213/reset_authentication_token';
    const answer = (at: string | null) =>
      json(201, { token: 'glrt-MADEUP2', token_expires_at: at });
    const { registry } = openRegistry({ [reset]: [answer(endsAt), answer(null)] });
    expect(await registry.resetToken(id)).toEqual({ token: 'glrt-MADEUP2', expiresAt: endsAt });
    expect(await registry.resetToken(id)).toEqual({ token: 'glrt-MADEUP2' });
  });
});
