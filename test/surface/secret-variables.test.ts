import { describe, expect, test } from '@jest/globals';
import { secretsIn } from '../../src/app/environment-check.ts';

const value = 'correct-horse-battery';

describe('the masked value of a secret variable', () => {
  test.each([
    'HOSTED_RUNNER_GITLAB_TOKEN',
    'HOSTED_RUNNER_GITHUB_TOKEN',
    'HOSTED_RUNNER_GITHUB_PRIVATE_KEY',
    'GITLAB_TOKEN',
    'CI_JOB_TOKEN',
    'CI_REGISTRY_PASSWORD',
    'CI_DEPLOY_PASSWORD',
    'GITHUB_TOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'ACTIONS_RUNTIME_TOKEN',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'OIDC_ID_TOKEN',
    'TF_HTTP_PASSWORD',
    'TF_TOKEN_app_terraform_io',
    'TF_TOKEN_registry_example_id',
    'TF_VAR_database_password',
    'TF_VAR_github_token',
    'TF_ENCRYPTION',
    'VAULT_TOKEN',
    'PULUMI_ACCESS_TOKEN',
    'DATADOG_API_KEY',
    'GOOGLE_CREDENTIALS',
    'PGPASSWORD',
    'MYSQL_PWD',
    'DATADOG_APIKEY',
    'DD_APP_KEY',
    'SENTRY_DSN',
    'DOCKER_AUTH_CONFIG',
    'RABBITMQ_CONNECTION_STRING',
    'npm_config_authtoken',
  ])('never appears: %s', (name) => {
    expect(secretsIn({ [name]: value })).toEqual([value]);
  });
});

describe('a password inside a variable’s value', () => {
  test.each([
    [
      'DATABASE_URL',
      'postgres://app:correct%20horse@db/main',
      ['correct%20horse', 'correct horse'],
    ],
    ['REDIS_URL', 'redis://:correct-horse@cache:6379', ['correct-horse']],
    ['HTTPS_PROXY', 'http://person:correct-horse@proxy:3128', ['correct-horse']],
    ['DB_LINK', 'Server=db;User=app;Password=correct-horse;', ['correct-horse']],
  ])('never appears: %s', (name, text, passwords) => {
    expect(secretsIn({ [name]: text })).toEqual([text, ...passwords]);
  });
});

describe('the text of a commit', () => {
  test.each([
    ['CI_COMMIT_MESSAGE', 'fix: password=purple and token=correct-horse-battery'],
    ['CI_COMMIT_REF_NAME', 'token=main'],
    ['GITHUB_HEAD_REF', 'token=correct-horse-battery'],
    ['OPTIONS', 'token=true'],
  ])('hides no word: %s', (name, text) => {
    const hidden = secretsIn({ [name]: text });
    expect(
      hidden.filter((word) => 'purple true main correct-horse-battery'.includes(word)),
    ).toEqual([]);
  });
});

describe('an ordinary variable', () => {
  test.each([
    ['AWS_WEB_IDENTITY_TOKEN_FILE', '/var/run/secrets/token'],
    ['ACTIONS_ID_TOKEN_REQUEST_URL', 'https://pipelines.example.com'],
    ['TOKEN_PARAMETER', '/gitlab/dedicated/runner/linux/pink/runner_token'],
    ['TF_VAR_region', 'eu-central-1'],
    ['AWS_ACCESS_KEY_ID', 'AKIAABCDEFGHIJKLMNOP'],
    ['TF_VAR_has_secrets', 'true'],
    ['PATH', '/usr/bin:/bin'],
    ['PWD', '/builds/group/project'],
    ['OLDPWD', '/builds/group/project'],
    ['CI_PROJECT_URL', 'https://gitlab.example.com:8443/group/project'],
    ['KEYBOARD', 'a-long-layout'],
  ])('stays visible: %s', (name, text) => {
    expect(secretsIn({ [name]: text })).toEqual([]);
  });
});
