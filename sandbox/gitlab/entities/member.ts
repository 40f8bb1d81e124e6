import type { Instance } from '../instance.ts';
import type { User } from '../state.ts';
import { moment } from './moment.ts';
import { userBasic } from './user.ts';

/** A person's role in a group or project, inherited ones included. */
export function member(instance: Instance, user: User, accessLevel: number) {
  return {
    ...userBasic(instance, user),
    access_level: accessLevel,
    created_at: moment(user.createdAt),
    expires_at: null,
    membership_state: 'active',
  };
}
