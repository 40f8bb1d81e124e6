import type { TerraformInfrastructure } from '../../domain/settings.ts';
import type { ShardPair } from '../../domain/shard.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProcessTable } from '../../ports/run.ts';
import type { TerraformEnvironment } from './terraform-environment.ts';

export interface TerraformOptions {
  readonly settings: TerraformInfrastructure;
  readonly shards: ShardPair;
  readonly parameterPrefix: string;
  /** Of a program that is started now: credentials are renewed while we run. */
  readonly environment: () => TerraformEnvironment;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly redact: (text: string) => string;
  /** Of the call that is made. */
  readonly signal?: (() => AbortSignal) | undefined;
}
