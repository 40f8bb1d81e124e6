import type { StackSettings } from '../../domain/settings.ts';
import type { Shard } from '../../domain/shard.ts';

export interface ParameterNames {
  readonly status: string;
  readonly record: string;
  readonly lock: string;
  readonly hold: string;
  token(shard: Shard): string;
  /** Desired state of a shard's GitHub runners. GitLab stores this itself. */
  fleet(shard: Shard): string;
}

export function parameterNames({
  parameterPrefix: base,
}: Pick<StackSettings, 'parameterPrefix'>): ParameterNames {
  return {
    status: `${base}deployment_status`,
    record: `${base}deployment_record`,
    lock: `${base}deployment_lock`,
    hold: `${base}deployment_hold`,
    token: (shard) => `${base}${shard}/runner_token`,
    fleet: (shard) => `${base}${shard}/runner_fleet`,
  };
}
