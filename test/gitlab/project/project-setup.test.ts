import { describe, expect, test } from '@jest/globals';
import type { ProjectSetting, SettingReading } from '../../../src/domain/project-setting.ts';
import { consentOf } from '../../../src/operator/confirm.ts';
import { applyChange, confirmChanges, planSetup } from '../../../src/operator/project-setup.ts';
import { PortFailure } from '../../../src/ports/failure.ts';

const source = 'GitLab PUT /projects/101';
const lost = new PortFailure({ kind: 'unreachable', effect: 'unknown', source, detail: 'reset' });
const denied = new PortFailure({ kind: 'denied', effect: 'none', source, detail: '403 Forbidden' });

const setting = (present: SettingReading, change?: ProjectSetting['change']): ProjectSetting => ({
  name: 'mode',
  present,
  wanted: 'unordered',
  byHand: 'Set it.',
  ...(change === undefined ? {} : { change }),
});

/** Setting whose write ends as given. `sets` is the value that the write leaves behind. */
function changing({ sets, failure, unread }: { sets?: string; failure?: Error; unread?: Error }) {
  let value = 'oldest_first';
  const change = {
    async write() {
      value = sets ?? value;
      if (failure !== undefined) throw failure;
    },
    async read() {
      if (unread !== undefined) throw unread;
      return value;
    },
  };
  return { setting: setting({ value }, change), present: value, change };
}

describe('the plan', () => {
  test('contains a change for a wrong value, and none for a right one', () => {
    const { setting: wrong, change } = changing({});
    const right = setting({ value: 'unordered' }, change);
    const by = setting({ value: 'oldest_first' });
    const unread = setting({ unread: '403 Forbidden' }, change);
    const { changes, ...rest } = planSetup([wrong, right, by, unread]);
    expect(changes.map((one) => one.setting)).toEqual([wrong]);
    expect(rest).toEqual({ manual: [by], unread: [unread] });
  });
});

describe('a change', () => {
  test.each([
    ['ends if the value is as wanted', { sets: 'unordered' }, undefined],
    ['ends if only its response was lost', { sets: 'unordered', failure: lost }, undefined],
    ['fails if the response was lost before it', { failure: lost }, `${source}: reset`],
    ['fails if GitLab refuses it', { failure: denied }, `${source}: 403 Forbidden`],
    ['fails if GitLab ignores it', {}, 'GitLab still reports: oldest_first'],
    [
      'fails if its value cannot be read again',
      { sets: 'unordered', unread: denied },
      `${source}: 403 Forbidden`,
    ],
  ])('%s', async (_, given, expected) => {
    expect(await applyChange(changing(given))).toBe(expected);
  });

  test('rejects with a cancel', async () => {
    const failure = new Error('cancelled');
    await expect(applyChange(changing({ failure }))).rejects.toBe(failure);
  });
});

describe('the confirmation', () => {
  const typing = (typed: string) => consentOf(false, async () => typed);

  test.each([
    ['--yes', consentOf(true, undefined)],
    ['y', typing('y')],
    ['Yes', typing(' Yes ')],
  ])('accepts %s', async (_, consent) => {
    await expect(confirmChanges(consent)).resolves.toBeUndefined();
  });

  test.each([
    ['no terminal', consentOf(false, undefined), 'Without a terminal, --yes is required.'],
    ['an empty line', typing(''), 'Nothing was typed instead of yes.'],
    ['another word', typing('no'), '"no" was typed instead of yes.'],
  ])('refuses %s', async (_, consent, why) => {
    await expect(confirmChanges(consent)).rejects.toMatchObject({
      code: 'NotConfirmed',
      fields: { why: [why] },
    });
  });
});
