import { z } from 'zod';
import type { ProjectSetting } from '../../../domain/project-setting.ts';
import { isRefusal } from '../../transport/answers/refusal.ts';
import { isNotFound } from '../http-404.ts';
import { readOne } from '../list-reader.ts';
import { type ProjectPlace, readSetting } from './pipeline-settings.ts';

export interface StoredToken {
  /** Environment scope of the deployment's jobs, such as `hosted-runner/*`. */
  readonly scope: string;
  /** Value to store; undefined to store none. */
  readonly value: string | undefined;
}

export const tokenVariable = z.object({
  environment_scope: z.string().nullish(),
  protected: z.boolean().nullish(),
  masked: z.boolean().nullish(),
  hidden: z.boolean().nullish(),
  value: z.string().nullish(),
});
type TokenVariable = z.infer<typeof tokenVariable>;

const key = 'HOSTED_RUNNER_GITLAB_TOKEN';
const absent = 'missing';

/** Describes the CI/CD variable with the token. Its value is compared, and never returned. */
export async function describeTokenVariable(
  place: ProjectPlace,
  { scope, value }: StoredToken,
): Promise<readonly ProjectSetting[]> {
  const { client, project } = place;
  const wanted = `masked, protected, scope ${scope}`;
  const describe = (found: TokenVariable | undefined): string => {
    if (found === undefined) return absent;
    const { environment_scope: own, protected: isProtected, masked, value: stored } = found;
    // GitLab never returns the value of a hidden variable.
    const isOther = value !== undefined && stored && stored !== value;
    return [
      masked === true ? 'masked' : 'not masked',
      isProtected === true ? 'protected' : 'not protected',
      `scope ${own ?? '*'}`,
      ...(isOther ? ['another value'] : []),
    ].join(', ');
  };
  const read = async () => describe(await findVariable(place, scope));
  let isHidden = false;
  const present = await readSetting(async () => {
    const found = await findVariable(place, scope);
    isHidden = found?.hidden === true;
    return describe(found);
  });
  const attributes = { protected: true, environment_scope: scope };
  const variable: ProjectSetting = {
    name: `variable ${key}`,
    present,
    wanted,
    byHand: `In Settings > CI/CD > Variables, set ${key}: masked and hidden, protected, environment scope ${scope}. Or store the token of this terminal with --store-token.`,
    ...(value === undefined
      ? {}
      : {
          change: {
            read,
            async write() {
              const found = await findVariable(place, scope);
              if (found === undefined) {
                const body = { key, value, masked_and_hidden: true, ...attributes };
                await client.raw.post(`${project}/variables`, { body });
                return;
              }
              // Only a new variable can become hidden.
              const body = { value, masked: true, ...attributes };
              await client.raw.put(`${project}/variables/${key}`, {
                searchParams: { 'filter[environment_scope]': found.environment_scope ?? '*' },
                body,
              });
            },
          },
        }),
  };
  return value !== undefined && isHidden ? [variable, hiddenValue] : [variable];
}

const hiddenValue: ProjectSetting = {
  name: `value of ${key}`,
  present: { unread: 'GitLab does not return the value of a hidden variable' },
  wanted: 'the token of this terminal',
  byHand: `If the token is a new one, set its value in Settings > CI/CD > Variables.`,
};

/** Returns the variable, and the one with the scope if several have this key. */
async function findVariable(
  { client, project }: ProjectPlace,
  scope: string,
): Promise<TokenVariable | undefined> {
  const endpoint = `${project}/variables/${key}`;
  const schema = tokenVariable;
  try {
    return await readOne(client, endpoint, { schema });
  } catch (error) {
    if (isNotFound(error, 'variable')) return undefined;
    if (!isRefusal(error, 409)) throw error;
  }
  try {
    const query = { 'filter[environment_scope]': scope };
    return await readOne(client, endpoint, { schema, query });
  } catch (error) {
    if (isNotFound(error, 'variable')) return undefined;
    throw error;
  }
}
