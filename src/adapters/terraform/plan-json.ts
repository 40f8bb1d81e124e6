import type { PlanDocument, PlannedChange } from '../../domain/plan/plan.ts';
import { parseJson } from '../../domain/text/json.ts';
import { PortFailure } from '../../ports/failure.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Parses the output of `show -json PLAN`,
 * https://developer.hashicorp.com/terraform/internals/json-format. A missing or malformed part is
 * refused, never read as empty.
 */
export function parsePlan(text: string): PlanDocument {
  const json = parseJson(text);
  if (json === undefined) throw unexpected('text that is not JSON');
  const plan = asObject(json, 'the plan');
  return {
    formatVersion: String(plan['format_version'] ?? '(none)'),
    // A plan for an empty state lacks this list.
    changes: asList(plan['resource_changes'] ?? [], 'resource_changes').map(readChange),
    beyond: [
      ...listed(plan['deferred_changes'], 'changes that are deferred'),
      ...listed(plan['action_invocations'], 'actions that it invokes'),
      ...listed(plan['deferred_action_invocations'], 'actions that are deferred'),
    ],
    errored: plan['errored'] === true,
    complete: flag(plan['complete']),
    applyable: flag(plan['applyable']),
    outputsChange: Object.values(asObject(plan['output_changes'] ?? {}, 'output_changes')).some(
      (change) => !isIdle(asObject(change, 'an output')['actions']),
    ),
  };
}

function readChange(value: unknown): PlannedChange {
  const resource = asObject(value, 'a resource change');
  const change = asObject(resource['change'], 'a change');
  const { previous_address: previous, address } = resource;
  const actions = asList(change['actions'], 'actions');
  const importing = change['importing'] ?? null;
  const importId = importing === null ? undefined : asObject(importing, 'an import')['id'];
  if (typeof address !== 'string' || !actions.every((action) => typeof action === 'string')) {
    throw unexpected('a resource change without address or actions');
  }
  return {
    address,
    ...(typeof previous === 'string' ? { previousAddress: previous } : {}),
    type: String(resource['type'] ?? ''),
    actions: actions as string[],
    isData: resource['mode'] === 'data',
    isDeposed: typeof resource['deposed'] === 'string',
    isImport: importing !== null,
    ...(typeof importId === 'string' ? { importId } : {}),
    before: change['before'] ?? null,
    after: change['after'] ?? null,
    afterUnknown: change['after_unknown'] ?? null,
    afterSensitive: change['after_sensitive'] ?? null,
    replacePaths: asList(change['replace_paths'] ?? [], 'replace_paths').map(readPath),
  };
}

function readPath(value: unknown): (string | number)[] {
  return asList(value, 'a path').map((step) => (typeof step === 'number' ? step : String(step)));
}

function isIdle(actions: unknown): boolean {
  return Array.isArray(actions) && actions.length === 1 && actions[0] === 'no-op';
}

function listed(value: unknown, kind: string): string[] {
  return value === undefined || value === null || asList(value, kind).length === 0 ? [] : [kind];
}

function flag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function asObject(value: unknown, what: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw unexpected(`${what} is not an object`);
}

function asList(value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw unexpected(`${what} is not a list`);
}

function unexpected(detail: string): PortFailure {
  return new PortFailure({ kind: 'unexpected', effect: 'none', source: 'the saved plan', detail });
}
