import { AsyncLocalStorage } from 'node:async_hooks';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stackShard } from '../contract/runner-host.contract.ts';
import { openWorkshop } from './workshop.ts';

test('a call that shares a cancelled read starts the read again', async () => {
  const { folder, open, write, close } = openWorkshop();
  write(
    'terraform',
    `#!/bin/sh
case $1 in
version) echo '{"terraform_version":"1.13.5"}' ;;
init) [ -e begun ] || { : >begun; exec sleep 600; } ;;
esac
`,
  );
  chmodSync(join(folder, 'terraform'), 0o755);
  const scope = new AsyncLocalStorage<AbortSignal>();
  const infrastructure = open({
    settings: { backendConfig: [] },
    signal: () => scope.getStore() as AbortSignal,
    environment: { PATH: `${folder}:/usr/bin:/bin` },
  });
  const checkShard = ({ signal }: AbortController) =>
    scope.run(signal, () => infrastructure.exists(stackShard('pink', 'linux')));
  const cancel = new AbortController();
  const cancelled = expect(checkShard(cancel)).rejects.toThrow('received SIGTERM');
  const other = checkShard(new AbortController());
  while (!existsSync(join(folder, 'begun')))
    await new Promise((resolve) => setTimeout(resolve, 20));
  cancel.abort(new Error('received SIGTERM'));
  await cancelled;
  expect(await other).toBe('absent');
  close();
});
