import { relative } from 'node:path';
import { fill } from '../../domain/text/placeholders.ts';
import { stateLocked, type TerraformTrouble, terraformSays } from '../../errors/terraform.ts';
import { type FailureKind, PortFailure } from '../../ports/failure.ts';
import { explainEnd } from '../transport/words/program-end.ts';
import { sanitizeLine } from '../transport/words/sanitize.ts';
import type { ChildEnd } from './child.ts';
import type { Diagnostic } from './diagnostics.ts';
import type { TerraformOptions } from './options.ts';
import type { Failure, Order } from './run.ts';
import { findLock } from './tfstate/lock.ts';

/** What of its words means what to us; the first that fits. */
const patterns: readonly (readonly [RegExp, TerraformTrouble])[] = [
  [/saved plan is stale|Saved plan does not match/i, 'stale'],
  [
    /Unsupported Terraform Core version|state snapshot was created by Terraform|Unsupported state file format|Incompatible (?:Terraform|OpenTofu) version/i,
    'version',
  ],
  [
    /ExpiredToken|InvalidClientTokenId|UnrecognizedClientException|AuthFailure|SignatureDoesNotMatch|InvalidIdentityToken|RequestExpired|No valid credential sources|failed to refresh cached credentials|error validating provider credentials/i,
    'credentials',
  ],
  [
    /UnauthorizedOperation|AccessDenied|not authorized to perform|is not authorized|403 Forbidden/i,
    'denied',
  ],
  [
    /LimitExceeded|QuotaExceeded|InsufficientInstanceCapacity|TooManyInstances|InstanceLimit|quota has been reached/i,
    'quota',
  ],
  [
    /EntityAlreadyExists|ResourceAlreadyExistsException|Invalid(?:Group|Permission)\.Duplicate|InvalidLaunchTemplateName\.AlreadyExistsException|ParameterAlreadyExists|AlreadyExists: /,
    'exists',
  ],
  [
    /Failed to query available provider packages|Failed to install provider|Could not load plugin|Required plugins are not installed|Inconsistent dependency lock file|Module not installed|Failed to download module|Missing required provider|Provider registry/i,
    'provider',
  ],
  [
    /Argument or block definition|Unsupported argument|Unsupported block type|Missing required argument|Reference to undeclared|Invalid reference|Invalid expression|Invalid block definition|Unclosed configuration block|Duplicate resource|No configuration files|No value for required variable|Invalid value for (?:input )?variable|Value for undeclared variable|Failed to read variables file|Unreadable module|Invalid multi-line string|Missing newline|Unterminated|Attribute redefined|Invalid resource type|Invalid provider configuration|Backend initialization required|Invalid backend configuration argument|Unsupported backend type|problems during initiali[sz]ation/i,
    'configuration',
  ],
];

/** Whether it is about a name that something else has. */
export function meansTaken({ summary, detail }: Diagnostic): boolean {
  const said = `${summary}\n${detail}`;
  return patterns.find(([pattern]) => pattern.test(said))?.[1] === 'exists';
}

const mostCharacters = 400;
const mostLines = 4;

/** The error of a command that did not succeed. */
export function toError({
  options,
  order,
  failure,
  touched,
  unsaved,
}: {
  options: TerraformOptions;
  order: Order;
  failure: Failure;
  /** Whether infrastructure may have been changed. */
  touched: boolean;
  /** Where the state is that it could not write. */
  unsaved?: string | undefined;
}): Error {
  const { settings, redact } = options;
  const { binary } = settings;
  const place = { runner: order.shard.runnerName, shard: order.shard.shard, binary };
  const lock = findLock(failure.diagnostics);
  if (lock !== undefined) {
    const directory = fill(settings.directory, order.shard);
    const dataDirectory = relative(order.directory, order.dataDirectory);
    return stateLocked({ ...place, lock, directory, dataDirectory });
  }
  const words = failure.diagnostics
    .slice(0, mostLines)
    .map(({ summary, detail }) =>
      sanitizeLine(redact(detail === '' ? summary : `${summary}: ${detail}`), mostCharacters),
    );
  const kept =
    unsaved === undefined
      ? []
      : [`The state that it could not write is kept in ${unsaved}; the next run here writes it.`];
  const all = failure.diagnostics.map(({ summary, detail }) => `${summary}\n${detail}`).join('\n');
  const known =
    failure.end.kind === 'exited' ? patterns.find(([pattern]) => pattern.test(all)) : undefined;
  if (known !== undefined) {
    const quoted = [...words.map((text) => `"${text}"`), ...kept];
    return terraformSays(known[1], { ...place, command: order.command, words: quoted, touched });
  }
  const { kind, detail } = explain(failure.end);
  return new PortFailure({
    kind,
    effect: touched ? 'unknown' : 'none',
    source: `${binary} ${order.command}`,
    detail: [...(words.length === 0 ? [detail] : words), ...kept].join(' · '),
  });
}

function explain(end: ChildEnd): { kind: FailureKind; detail: string } {
  switch (end.kind) {
    case 'flooded':
      return { kind: 'unexpected', detail: 'it printed more than 256 MB' };
    case 'not_started':
      return { kind: 'refused', detail: `it could not be started (${end.code})` };
    default:
      return explainEnd(end);
  }
}
