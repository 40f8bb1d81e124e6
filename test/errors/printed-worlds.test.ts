import { describe, expect, test } from '@jest/globals';
import { absorb } from '../fakes/checker.ts';
import { type as typeIn } from '../operator/physician.ts';
import type { Ending } from '../stages/drive.ts';
import { catalogue } from './catalogue.ts';
import { commandsIn } from './commands-in.ts';
import { candidateWorlds } from './worlds/candidate-worlds.ts';
import { drainWorlds } from './worlds/drain-worlds.ts';
import { orderWorlds } from './worlds/order-worlds.ts';
import { outsideWorlds } from './worlds/outside-worlds.ts';
import type { PrintingWorld } from './worlds/printing-world.ts';
import { serviceWorlds } from './worlds/service-worlds.ts';
import { takeoverWorlds } from './worlds/takeover-worlds.ts';

const worlds: readonly PrintingWorld[] = [
  ...orderWorlds,
  ...candidateWorlds,
  ...drainWorlds,
  ...serviceWorlds,
  ...takeoverWorlds,
  ...outsideWorlds,
];

const ofSandbox = 'the sandbox does not run, and there is no stack yet';
const ofFile = 'no stack is reached yet: its commands read or write the file alone';
const ofTerraform =
  'Terraform itself fails, which no fake driver does: test/e2e/terraform-failures.test.ts';

/** Errors that print commands, and of which no world stands above. */
const elsewhere: Readonly<Record<string, string>> = {
  HealthcheckTimedOut: 'its six worlds are in printed-commands.test.ts',
  OpenedAgainTwice:
    'takes two drains that are lost: test/scenarios/service.test.ts types its activate',
  LockLost: 'another run takes the lock in the middle of a stage; what comes then is LockHeld here',
  BadUsage: 'a misspelt word, and what was meant',
  UnknownShard: 'said before any call; its only command looks',
  NotStartedByHand: 'said before any call; its only command looks',
  EndpointSilent: 'its command starts an endpoint, which only a signal ends',
  AddressTaken: 'its command starts an endpoint, which only a signal ends',
  ConfigurationMissing: ofFile,
  InvalidConfiguration: ofFile,
  FileExists: ofFile,
  SandboxRunsAlready: ofSandbox,
  SandboxPortTaken: ofSandbox,
  SandboxUnknown: ofSandbox,
  SandboxUnreachable: ofSandbox,
  RunnerBinaryUnusable: ofSandbox,
  TerraformStateLocked: ofTerraform,
  TerraformCredentials: ofTerraform,
  TerraformDenied: ofTerraform,
  TerraformQuota: ofTerraform,
  TerraformNameTaken: ofTerraform,
  TerraformProviderMissing: ofTerraform,
  TerraformConfigurationInvalid: ofTerraform,
  TerraformVersionRefused: ofTerraform,
  TerraformPlanStale: ofTerraform,
};

test('every error that prints a command has its world here, or is named with a reason', () => {
  const prints = catalogue.filter(({ fields }) => commandsIn(fields.fix ?? []).length > 0);
  const here = worlds.map(({ code }) => code);
  const known = [...here, ...Object.keys(elsewhere)];
  expect([...new Set(known)].sort()).toEqual([...new Set(prints.map(({ code }) => code))].sort());
  expect(Object.keys(elsewhere).filter((code) => here.includes(code))).toEqual([]);
});

/** As a line of the table says it. */
function endOf(ending: Ending): string {
  const how =
    ending.kind === 'error' ? `${ending.error.exitCode} ${ending.error.code}` : ending.kind;
  return `${how}, ${ending.phase}`;
}

describe.each(worlds.map((row) => [`${row.code} ${row.where ?? ''}`.trim(), row] as const))(
  '%s',
  (_, { code, build, typed, surroundings, still, before, leads }) => {
    const print = async () => {
      const world = await build();
      const ending = await typeIn(world, typed, surroundings?.(world) ?? still?.(world) ?? {});
      if (ending.kind !== 'error') throw new Error(`${typed} was ${endOf(ending)}`);
      return { world, error: ending.error };
    };

    test('what it prints leads where it says, in the world that printed it', async () => {
      const { error } = await print();
      expect(error.code).toBe(code);
      const ends: Record<string, string> = {};
      const typed: string[] = [];
      for (const line of error.fields.fix ?? []) {
        const [command] = commandsIn([line]);
        if (command === undefined) continue;
        const { world } = await print();
        await before?.(world, command);
        absorb(world);
        // Such a line goes on where the ones before it have led.
        const first = line.startsWith('Then ') ? typed : [];
        for (const one of first) await typeIn(world, one, still?.(world) ?? {});
        ends[command] = endOf(await typeIn(world, command, still?.(world) ?? {}));
        expect(world.violations).toEqual([]);
        typed.push(command);
      }
      expect(ends).toEqual(leads);
    });
  },
);
