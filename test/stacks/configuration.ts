/**
 * Returns the configuration that `hosted-runner sandbox` would write for many stacks. Every wait
 * has its default.
 */
export function configurationOf({
  names,
  program,
  url,
}: {
  readonly names: readonly string[];
  readonly program: readonly string[];
  readonly url: string;
}): string {
  const command = (verb: string) => [
    ...program,
    ...['sandbox', verb, '--runner', '{runner_name}', '--shard', '{shard}'],
  ];
  return JSON.stringify({
    version: 1,
    defaults: {
      gitlab: { url },
      registration: { scope: 'group', group_id: 10 },
      canary: { kind: 'off' },
      infrastructure: {
        driver: 'command',
        apply: command('apply'),
        destroy: command('destroy'),
        pass_environment: ['HOSTED_RUNNER_SANDBOX_URL'],
      },
      // The sandbox's runners request jobs every 3 s.
      drain: { poll_of_runner: '5s' },
    },
    stacks: Object.fromEntries(names.map((name) => [name, { registration: { tags: [name] } }])),
  });
}
