import { z } from 'zod';
import type { ProjectSetting } from '../../../domain/project-setting.ts';
import { listAll } from '../list-reader.ts';
import { type ProjectPlace, readSetting } from './pipeline-settings.ts';

export const pipelineSchedule = z.object({
  id: z.number().int().positive(),
  description: z.string().nullish(),
  active: z.boolean().nullish(),
});

/** Description of the schedule. Rules of a pipeline can compare it. */
const description = 'finish deployments';
const present = `"${description}" is active`;
const hourly = '0 * * * *';

/**
 * Describes the schedule that runs finalize. Beside other schedules, only an operator can decide:
 * one of them may run finalize, and the rules of a pipeline may start a deployment in a new one.
 */
export async function describeSchedule(
  { client, project }: ProjectPlace,
  branch: string,
): Promise<ProjectSetting> {
  const endpoint = `${project}/pipeline_schedules`;
  const read = async () => {
    const found = await listAll(client, { endpoint, item: pipelineSchedule });
    const own = found.filter((each) => each.description === description);
    if (own.some(({ active }) => active !== false)) return present;
    if (own.length > 0) return `"${description}" is inactive`;
    return found.length === 0 ? 'none' : `only other schedules (${found.length})`;
  };
  const reading = await readSetting(read);
  const mayCreate = 'unread' in reading || reading.value === 'none';
  const body = { description, ref: branch, cron: hourly, cron_timezone: 'UTC', active: true };
  return {
    name: 'hourly schedule for finalize',
    present: reading,
    wanted: present,
    byHand: `In Build > Pipeline schedules, let an active schedule run finalize every hour (cron "${hourly}", branch ${branch}). This command recognizes the description "${description}".`,
    ...(mayCreate
      ? {
          change: {
            read,
            async write() {
              await client.raw.post(endpoint, { body });
            },
          },
        }
      : {}),
  };
}
