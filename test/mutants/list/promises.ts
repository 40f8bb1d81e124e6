import { type Mutant, mutantsOf } from '../mutant.ts';

/** Promises of SECURITY.md that no other list breaks; `test/docs/security.test.ts` wants one for each. */
export const promises: readonly Mutant[] = [
  ...mutantsOf('src/adapters/terraform/child.ts', [
    {
      id: 'Terraform is started by a shell',
      find: '    detached: true,\n',
      replace: '    detached: true,\n    shell: true,\n',
      tests: ['test/terraform/plans/held-to-its-plan.test.ts'],
    },
  ]),
  ...mutantsOf('src/config/inputs/component-inputs.ts', [
    {
      id: 'an input of a template is taken as it comes',
      find: "      return value === '' || pattern.test(value)\n",
      replace: "      return value === '' || pattern !== undefined\n",
      tests: ['test/config/component-inputs.test.ts'],
    },
  ]),
  ...mutantsOf('src/app/environment.ts', [
    {
      id: 'a variable whose name says secret is printed',
      find: 'terraform.test(name) || (secret.test(name) && !place.test(name))',
      replace: 'terraform.test(name) || (secret.test(name) && place.test(name))',
      tests: ['test/surface/secret-variables.test.ts'],
    },
    {
      id: 'a token of a registry of Terraform’s is printed',
      find: 'terraform.test(name) || (secret',
      replace: '(secret',
      tests: ['test/surface/secret-variables.test.ts'],
    },
  ]),
  ...mutantsOf('src/cli/starting/folder.ts', [
    {
      id: 'a pipe is read as a configuration',
      find: "    if (!found.isFile()) throw Object.assign(new Error(), { code: 'it is no regular file' });\n",
      replace: '',
      tests: ['test/cli/config-file.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/attempt.ts', [
    {
      id: 'a signal does not end a write in flight',
      find: '      clock.sleep(graceMs, settled).then(end, end);\n',
      replace: '      clock.sleep(graceMs * 1000, settled).then(end, end);\n',
      tests: ['test/transport/cancelling.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/transport/transport.ts', [
    {
      id: 'a write waits in the queue for as long as a read',
      find: 'isWrite ? startedAt + limits.writeMs : Number.POSITIVE_INFINITY',
      replace: 'isWrite ? startedAt + limits.callMs : Number.POSITIVE_INFINITY',
      tests: ['test/transport/turn-limit.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/walk/effect.ts', [
    {
      id: 'an effect that was refused is sent again without its gate',
      find: '    const answered = await untilAccepted(context, async () => {\n      await gate(context, effect.shard, effect.proof);\n',
      replace:
        '    await gate(context, effect.shard, effect.proof);\n    const answered = await untilAccepted(context, async () => {\n',
      tests: ['test/steps/effects.test.ts'],
    },
  ]),
  ...mutantsOf('src/stages/candidate/whose-registration.ts', [
    {
      id: 'a record that names the other shard’s runner is believed',
      find: '  if (!isCalledAsOther({ registration, shard, settings })) return;\n',
      replace: '  if (isCalledAsOther({ registration, shard, settings }) || shard) return;\n',
      tests: ['test/scenarios/prepare/spoofed.test.ts'],
    },
  ]),
  ...mutantsOf('src/report/endpoint/listening.ts', [
    {
      // Without any bound the test waits for ever, as it should.
      id: 'twice as few silent connections are let be as was said',
      find: '      if (silent.size <= most) return;',
      replace: '      if (silent.size <= most / 2) return;',
      tests: ['test/endpoint/silent-connections.test.ts'],
    },
  ]),
  ...mutantsOf('src/report/endpoint/app.ts', [
    {
      id: 'the endpoint answers whoever points a name at this machine',
      find: 'allowed.includes(name);',
      replace: "(allowed.includes(name) || name !== '');",
      tests: ['test/endpoint/foreign-requests.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/whole-response.ts', [
    {
      id: 'a response of AWS may be twice as long as is allowed',
      find: 'const usualBytes = 32 *',
      replace: 'const usualBytes = 64 *',
      tests: ['test/aws/endless-responses.test.ts'],
    },
    {
      id: 'a response of AWS that does not end in time is no timeout',
      find: '        if (!limit.aborted || ',
      replace: '        if (limit.aborted || ',
      tests: ['test/aws/endless-responses.test.ts'],
    },
  ]),
  ...mutantsOf('src/report/dashboard/app.ts', [
    {
      id: 'the dashboard answers whoever points a name at this machine',
      find: '  return isLoopback(',
      replace: "  return host !== '' || isLoopback(",
      tests: ['test/dashboard/server.test.ts'],
    },
    {
      id: 'the dashboard takes whatever method',
      find: "  if (method === 'GET' || method === 'HEAD') return undefined;",
      replace: "  if (method !== '') return undefined;",
      tests: ['test/dashboard/server.test.ts'],
    },
  ]),
  ...mutantsOf('src/report/dashboard/shard-card.ts', [
    {
      id: 'a script in the place of an address is a link of the dashboard',
      find: '!isWebAddress(url)',
      replace: "url === ''",
      tests: ['test/dashboard/page.test.ts'],
    },
  ]),
  ...mutantsOf('src/errors/fix-line.ts', [
    {
      id: 'what was agreed to for one command is repeated for another',
      find: 'if (isTyped && typed !== undefined)',
      replace: 'if (typed !== undefined)',
      tests: ['test/errors/fix-line.test.ts'],
    },
    {
      id: 'the command that comes next is about the stack of another file',
      find: '${stack}${file}${last}',
      replace: '${stack}${last}',
      tests: ['test/errors/fix-line.test.ts'],
    },
  ]),
  ...mutantsOf('src/report/event-file/lines.ts', [
    {
      id: 'the event file shows what a parameter holds',
      find: "portOf(call) === 'parameters'",
      replace: "portOf(call) === 'registry'",
      tests: ['test/report/event-file/lines.test.ts'],
    },
  ]),
  ...mutantsOf('src/report/waits-and-kills.ts', [
    {
      id: 'the timeline keeps a kill to itself',
      find: '      if (text !== undefined) kills.push',
      replace: '      if (text === undefined) kills.push',
      tests: ['test/report/lanes.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/access/access.ts', [
    {
      id: 'nobody is warned of keys that do not end',
      find: '  if (!hasStaticKeys(environment)) return [];\n',
      replace: '  if (environment !== undefined) return [];\n',
      tests: ['test/aws/access/access.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/aws/access/permissions.ts', [
    {
      id: 'the policies let every stage write the status',
      find: "    on: 'status',\n    roles: ['provision', 'promote', 'shutdown', 'bake', 'finalize', 'operator'],",
      replace: "    on: 'status',\n    roles: writing,",
      tests: ['test/docs/permissions.test.ts'],
    },
  ]),
  ...mutantsOf('src/domain/output.ts', [
    {
      id: 'the outputs of a module are renamed in the event file',
      find: '      isForeign(key) ? entry : inSnakeCase(entry),\n',
      replace: '      isForeign(key) ? inSnakeCase(entry) : inSnakeCase(entry),\n',
      tests: ['test/report/event-file/lines.test.ts'],
    },
  ]),
  ...mutantsOf('src/verify/event-file.ts', [
    {
      id: 'what an error of an older event file says is not read',
      find: "(fields['error'] ?? fields)",
      replace: "(fields['error'] ?? {})",
      tests: ['test/verify/verify.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/system/frame.ts', [
    {
      id: 'a picture that the terminal has broken is left behind',
      find: "    if (shown === '' || columns === stream.columns) return;\n",
      replace: "    if (shown === '' || columns !== undefined) return;\n",
      tests: ['test/system/live-picture.test.ts'],
    },
    {
      id: 'a frame takes the line above it when the terminal changes',
      find: "      .replace(/\\n$/, '')\n",
      replace: '',
      tests: ['test/system/live-picture.test.ts'],
    },
  ]),
  ...mutantsOf('src/adapters/system/live-line.ts', [
    {
      id: 'lines are printed into the picture',
      find: '    clear();\n    print();\n',
      replace: '    print();\n    clear();\n',
      tests: ['test/system/live-picture.test.ts'],
    },
  ]),
  ...mutantsOf('src/report/live/live-rows.ts', [
    {
      id: 'the name of a job moves the cursor of a terminal',
      find: '    return `      ${clean(name)} ${clean(id)} ${since}`;\n',
      replace: '    return `      ${name} ${clean(id)} ${since}`;\n',
      tests: ['test/report/live/live-rows.test.ts'],
    },
  ]),
];
