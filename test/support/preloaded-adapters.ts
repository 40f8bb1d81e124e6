// jest cannot load modules in parallel that share others (`request for … is not in cache`).
for (const part of [
  'adapters/aws/services',
  'adapters/aws/access/aws-account',
  'adapters/aws/inventory/ec2-instances',
  'adapters/aws/inventory/aws-inventory',
  'adapters/aws/inventory/auto-scaling-hooks',
  'adapters/aws/access/access',
  'adapters/aws/state-store/parameter-store',
  'adapters/transport/transport',
  'adapters/signals/http-signals',
  'adapters/gitlab/gitlab-client',
  'adapters/gitlab/runners/gitlab-registry',
  'adapters/gitlab/jobs/gitlab-pipelines',
  'adapters/gitlab/canary/canary-project',
  'adapters/github/github-client',
  'adapters/github/runners/github-registry',
  'adapters/github/runs/canary-workflow',
  'app/compose/compose-pipelines',
  'app/compose/compose-github',
  'app/compose/compose-aws',
])
  await import(`../../src/${part}.ts`);
