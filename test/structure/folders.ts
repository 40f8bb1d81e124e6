export const core = ['domain', 'ports', 'errors'];
/**
 * A failure of an adapter is a failure of its port. Errors are created by code that knows the
 * attempted action.
 */
const adapter = ['domain', 'ports', 'adapters/transport'];

/**
 * Folders that a folder may import from, besides itself. `root` is main.ts. CONTRIBUTING contains
 * the same table.
 */
export const mayImport: Record<string, readonly string[]> = {
  root: ['app', 'cli', 'config'],
  app: [
    ...core,
    'adapters/transport',
    'adapters/aws',
    'adapters/canary',
    'adapters/ci',
    'adapters/command',
    'adapters/github',
    'adapters/gitlab',
    'adapters/signals',
    'adapters/system',
    'adapters/terraform',
    'cli',
    'config',
    'operator',
    'recording',
    'report',
    'report/dashboard',
    'report/endpoint',
    'sandbox',
    'stages',
    'stages/record',
  ],
  cli: ['adapters/system', 'config', 'domain', 'errors', 'operator', 'recording', 'verify'],
  domain: [],
  ports: ['domain'],
  errors: ['domain', 'ports'],
  'stages/record': core,
  stages: [...core, 'stages/record'],
  operator: [...core, 'stages/record', 'stages'],
  config: ['domain', 'errors'],
  'adapters/transport': core,
  'adapters/canary': ['domain', 'ports'],
  'adapters/gitlab': [...adapter, 'adapters/canary'],
  'adapters/github': adapter,
  'adapters/aws': adapter,
  'adapters/signals': adapter,
  'adapters/terraform': [...adapter, 'errors'],
  'adapters/command': adapter,
  'adapters/system': [...adapter, 'errors'],
  'adapters/ci': [...core, 'report'],
  recording: [...adapter, 'adapters/gitlab', 'adapters/github'],
  report: [...core, 'stages/record'],
  'report/dashboard': [...core, 'operator', 'report'],
  'report/endpoint': ['domain', 'errors', 'ports', 'operator'],
  verify: [],
  sandbox: [...core, 'adapters/ci', 'adapters/system', 'cli', 'report'],
  model: ['domain', 'errors'],
  generate: ['adapters/aws', 'cli', 'config', 'domain', 'operator', 'ports', 'report'],
};

/** Floors inside `src/stages/`, from the top. A floor imports itself and lower floors. */
export const floors = [
  'run',
  'steps/switch',
  'steps/candidate',
  'steps/removal',
  'steps/drain',
  'steps/bake',
  'steps/healthcheck',
  'service',
  'effects',
  'observe/shard',
  'observe',
  'context',
  'record',
];
