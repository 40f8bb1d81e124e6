import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSandbox } from '../hosts/running-sandbox.ts';
import { badForms } from './bad-forms.ts';
import { type BadValue, badCommands, badLists, badParameters } from './bad-values.ts';

let world: Awaited<ReturnType<typeof openSandbox>>;
beforeAll(async () => {
  world = await openSandbox();
  await world.ssm.putParameter({ Name: '/old', Value: 'one', Type: 'String' });
  world.sandbox.groups.add({
    ...{ name: 'workers', hook: 'drain', tags: {}, waiting: ['i-00000000000000001'] },
  });
});
afterAll(() => world.close());

const signed = (service: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=AKIASANDBOX/20260101/eu-west-1/${service}/aws4_request`,
});

async function send({ operation, request }: BadValue, service?: string) {
  const answer = await fetch(world.sandbox.ssmUrl, {
    method: 'POST',
    headers:
      service === undefined
        ? { ...signed('ssm'), 'x-amz-target': operation.replace(/^\w+$/, 'AmazonSSM.$&') }
        : signed(service),
    body:
      service === undefined
        ? JSON.stringify(request)
        : new URLSearchParams({ Action: operation, ...(request as Record<string, string>) }),
  });
  return { status: answer.status, text: await answer.text() };
}

const inOrder = ({ operation, bad }: BadValue) => `${operation} with ${bad}`;

test.each(
  [...badParameters, ...badCommands, ...badLists].map((row) => [inOrder(row), row] as const),
)('AWS refuses %s', async (_, row) => {
  const { status, text } = await send(row);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({
    __type: row.code,
    message: expect.stringContaining(row.message),
  });
});

const forms = Object.entries(badForms).flatMap(([service, rows]) =>
  rows.map((row) => [inOrder(row), service, row] as const),
);

test.each(forms)('AWS refuses %s', async (_, service, row) => {
  const { status, text } = await send(row, service);
  expect(status).toBe(row.code === 'NoSuchEntity' ? 404 : 400);
  expect(text).toContain(`<Code>${row.code}</Code>`);
  expect(text.replaceAll('&apos;', "'").replaceAll('&#39;', "'")).toContain(row.message);
});

test('a refused request changes nothing', async () => {
  for (const row of [...badParameters, ...badCommands]) await send(row);
  for (const [, service, row] of forms) await send(row, service);
  const { type, versions } = world.sandbox.parameters.read('/old').parameter;
  expect([type, versions.length]).toEqual(['String', 1]);
  expect(() => world.sandbox.parameters.read('/new')).toThrow();
  expect(world.sandbox.groups.list().map(({ waiting }) => waiting)).toEqual([
    ['i-00000000000000001'],
  ]);
});

test('a parameter keeps its tier', async () => {
  const name = { Name: '/large', Type: 'String' } as const;
  const long = 'x'.repeat(5000);
  const first = await world.ssm.putParameter({ ...name, Value: long, Tier: 'Intelligent-Tiering' });
  const again = await world.ssm.putParameter({ ...name, Value: 'x', Overwrite: true });
  expect([first.Tier, again.Tier]).toEqual(['Advanced', 'Advanced']);
});
