import type { Instance } from '../instance.ts';
import type { User } from '../state.ts';
import { moment } from './moment.ts';

export function userBasic(instance: Instance, user: User) {
  return {
    id: user.id,
    username: user.username,
    public_email: null,
    name: user.username,
    state: 'active',
    locked: false,
    avatar_url: null,
    web_url: `${instance.baseUrl()}/${user.username}`,
  };
}

export function userDetails(instance: Instance, user: User) {
  return {
    ...userBasic(instance, user),
    created_at: moment(user.createdAt),
    bio: '',
    location: null,
    linkedin: '',
    twitter: '',
    discord: '',
    website_url: '',
    github: '',
    job_title: '',
    pronouns: null,
    organization: null,
    bot: false,
    work_information: null,
    followers: 0,
    following: 0,
    is_followed: false,
    local_time: null,
  };
}

/** Renders a user. `GET /user` returns more to the user itself. */
export function userPublic(instance: Instance, user: User) {
  return {
    ...userDetails(instance, user),
    email: null,
    // GitLab shows the field to administrators only.
    ...(user.admin ? { is_admin: true } : {}),
    two_factor_enabled: true,
    external: false,
    private_profile: false,
    can_create_group: user.admin,
    can_create_project: true,
  };
}

export function userById(instance: Instance, id: number): User {
  const user = instance.state.users.find((candidate) => candidate.id === id);
  if (user === undefined) throw new Error(`There is no user ${id}.`);
  return user;
}
