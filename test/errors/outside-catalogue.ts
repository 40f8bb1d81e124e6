import type { DeployError } from '../../src/errors/deploy-error.ts';
import { fromPortFailure } from '../../src/errors/outside.ts';
import { type FailureKind, PortFailure, type Through } from '../../src/ports/failure.ts';

const portFailure = (
  kind: FailureKind,
  effect: 'none' | 'unknown' = 'none',
  detail = 'its own words',
  through?: Through,
) =>
  fromPortFailure(
    new PortFailure({ kind, effect, source: 'GitLab PUT /runners/48213', detail, through }),
    'hosted-runner provision --runner linux',
  );

const throughProxy: Through = {
  proxy: 'http://proxy.example.com:3128',
  variable: 'https_proxy',
  exceptions: 'NO_PROXY',
  host: 'gitlab.example.com',
};

/** Of who was asked and did not answer as asked. */
export const outsideErrors: readonly DeployError[] = [
  portFailure('unreachable', 'unknown'),
  portFailure('unreachable', 'none', 'the proxy does not answer', throughProxy),
  portFailure('refused', 'none', 'the proxy answered 407 to CONNECT', throughProxy),
  portFailure('unreachable', 'none', 'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)'),
  ...(
    [
      'unavailable',
      'read_only',
      'throttled',
      'unauthenticated',
      'denied',
      'refused',
      'unexpected',
    ] as const
  ).map((kind) => portFailure(kind)),
];
