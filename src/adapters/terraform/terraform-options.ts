import type { TerraformInfrastructure } from '../../domain/settings.ts';
import type { ShardPair } from '../../domain/shard.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ProcessTable } from '../../ports/run.ts';
import type { TerraformEnvironment } from './terraform-environment.ts';

export interface TerraformOptions {
  readonly settings: TerraformInfrastructure;
  readonly shards: ShardPair;
  readonly parameterPrefix: string;
  /** Returns the environment for a new process. Credentials are renewed during the run. */
  readonly environment: () => TerraformEnvironment;
  readonly clock: Clock;
  readonly processes: ProcessTable;
  readonly redact: (text: string) => string;
  /** Returns the signal of the current call. */
  readonly signal?: (() => AbortSignal) | undefined;
}
