import { passedOn } from '../transport/words/usual-variables.ts';

export type TerraformEnvironment = Readonly<Record<string, string | undefined>>;

// Other TF_ variables change the operation without notice. TF_CLI_ARGS adds flags, TF_WORKSPACE and
// TF_DATA_DIR select another state, TF_LOG prints secrets, and TF_REATTACH_PROVIDERS uses another
// program.
const allowed =
  /^(?:TF_VAR_\w+|TF_TOKEN_\w+|TF_HTTP_\w+|TF_CLI_CONFIG_FILE|TF_PLUGIN_CACHE_DIR|TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE|TF_REGISTRY_\w+|TF_ENCRYPTION|TF_APPEND_USER_AGENT|TF_PROVIDER_DOWNLOAD_RETRY|SSH_AUTH_SOCK|GIT_SSL_\w+)$/;

/**
 * Builds the environment for Terraform. It contains no secret of the CI and no variable that
 * changes commands, unless configured.
 */
export function terraformEnvironment({
  environment,
  passEnvironment,
  dataDirectory,
}: {
  environment: TerraformEnvironment;
  passEnvironment: readonly string[];
  dataDirectory: string;
}): Record<string, string> {
  return {
    ...passedOn(environment, { isOwn: (name) => allowed.test(name), named: passEnvironment }),
    TF_DATA_DIR: dataDirectory,
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
    CHECKPOINT_DISABLE: '1',
  };
}
