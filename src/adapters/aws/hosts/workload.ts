import { oneLine } from '../line-text.ts';
import type { HostOutput } from './host-output.ts';

export type Workload =
  | { readonly kind: 'worked' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The check itself could not run; it proves nothing about the host. */
  | { readonly kind: 'impossible'; readonly reason: string };

const steps = [
  ['volume', 'creating a volume'],
  ['container', 'running a container that writes to its volume'],
  ['container_removal', 'removing the container'],
  ['volume_removal', 'removing the volume'],
] as const;

export function judgeWorkload(output: HostOutput, redact: (text: string) => string): Workload {
  if (output.first('docker') === '127') {
    return { kind: 'impossible', reason: 'the host has no docker command' };
  }
  const detail = oneLine(redact(output.first('detail') ?? ''));
  const pulled = output.first('registry');
  if (pulled !== undefined && pulled !== '0') {
    return { kind: 'failed', reason: explainPull(pulled, detail) };
  }
  if (output.first('image') !== '0') {
    const because = detail === '' ? '' : `: "${detail}"`;
    return {
      kind: 'impossible',
      reason: `the host has no image to start a container from${because}`,
    };
  }
  for (const [key, doing] of steps) {
    const code = output.first(key);
    if (code === '0') continue;
    // A missing `container_removal` means that no container existed. Any other missing step means
    // that the script died.
    if (code === undefined && key === 'container_removal') continue;
    if (code === undefined) {
      return { kind: 'failed', reason: `the check ended before ${doing}` };
    }
    return { kind: 'failed', reason: explain({ code, doing, detail }) };
  }
  return output.complete
    ? { kind: 'worked' }
    : { kind: 'failed', reason: 'the check did not reach its end' };
}

// Messages of docker and the kernel, and their meaning for an operator on call.
const causes: readonly (readonly [RegExp, string])[] = [
  [/no space left on device|disk quota exceeded/i, 'the disk is full'],
  [/read-only file system/i, 'the file system is read-only'],
  [/input\/output error/i, 'the disk is defective'],
  [
    /no available (?:IPv4|network)|non-overlapping IPv4|address pools? .*(?:exhausted|subnetted)|cannot allocate memory|resource temporarily unavailable|too many open files|pids? limit|max depth exceeded|exchange full/i,
    'the host can create no more containers',
  ],
  [
    /cannot connect to the docker daemon|is the docker daemon running|failed to connect to the docker api/i,
    'docker does not run',
  ],
  [
    /no such image|unable to find image|manifest unknown|exec format error/i,
    'the image cannot be used',
  ],
];

function explain({ code, doing, detail }: { code: string; doing: string; detail: string }): string {
  // `timeout` ends a step with 124 or 137.
  const cause =
    code === '124' || code === '137'
      ? 'the disk or docker hangs'
      : causes.find(([pattern]) => pattern.test(detail))?.[1];
  const quoted = detail === '' ? `exit code ${code}` : `"${detail}"`;
  return cause === undefined ? `${doing}: ${quoted}` : `${cause}: ${doing}: ${quoted}`;
}

const pullCauses: readonly (readonly [RegExp, string])[] = [
  ...causes.slice(0, 3),
  [
    /cannot connect to the docker daemon|is the docker daemon running|failed to connect to the docker api/i,
    'docker does not run',
  ],
  [/toomanyrequests|rate limit|429/i, 'the image registry limits this host'],
  [
    /pull access denied|unauthorized|authentication required|denied|403/i,
    'the image registry refuses this host',
  ],
  [/manifest unknown|not found|invalid reference/i, 'the image registry lacks the image'],
];

function explainPull(code: string, detail: string): string {
  const isHung = code === '124' || code === '137';
  const cause = isHung ? undefined : pullCauses.find(([pattern]) => pattern.test(detail))?.[1];
  const quoted =
    detail === '' ? (isHung ? 'no response within 60s' : `exit code ${code}`) : `"${detail}"`;
  return `${cause ?? 'the image registry is unreachable'}: pulling the image: ${quoted}`;
}
