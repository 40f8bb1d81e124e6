// jest cannot load modules side by side that share some (`request for … is not in cache`).
for (const part of [
  'adapters/aws/services',
  'adapters/aws/access/account',
  'adapters/aws/inventory/instances',
  'adapters/aws/inventory/inventory',
  'adapters/aws/inventory/lifecycle-hooks',
  'adapters/aws/access/access',
  'adapters/aws/state-store/state-store',
  'adapters/transport/transport',
  'adapters/signals/signals',
  'adapters/gitlab/client',
  'adapters/gitlab/runners/registry',
  'adapters/gitlab/jobs/pipelines',
  'adapters/gitlab/canary/canary-project',
  'adapters/github/client',
  'adapters/github/runners/registry',
  'adapters/github/runs/canary-workflow',
  'app/compose/compose-pipelines',
  'app/compose/compose-github',
  'app/compose/compose-aws',
])
  await import(`../../src/${part}.ts`);
