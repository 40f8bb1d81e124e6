import type { SandboxStore } from '../../surroundings/store.ts';
import { AwsRefusal, parameterNotFound, validationError } from '../refusal.ts';
import {
  checkName,
  checkPattern,
  checkValue,
  mostBytes,
  type ParameterTier,
  type ParameterType,
  type ParameterVersion,
  type StoredParameter,
  seenAt,
  selectVersion,
} from './parameter.ts';

/** Parameter Store. It stores SecureString values only sealed. */
export class Parameters {
  readonly #world: ParametersWorld;
  readonly #document: Record<string, StoredParameter>;

  constructor(world: ParametersWorld) {
    this.#world = world;
    this.#document = world.store.load<Record<string, StoredParameter>>('parameters') ?? {};
  }

  /** Reads a parameter from a copy `staleMs` behind. `name` may have a selector. */
  read(nameWithSelector: string, staleMs = 0): ReadParameter {
    const [name = '', selector] = nameWithSelector.split(':');
    checkName(name);
    const parameter = this.#seen(name, staleMs);
    const version = selectVersion(parameter, selector);
    if (parameter === undefined) throw parameterNotFound();
    return { ...this.#open(parameter, version), selector };
  }

  list(staleMs = 0): readonly ReadParameter[] {
    return Object.keys(this.#document)
      .sort()
      .flatMap((name) => this.#seen(name, staleMs) ?? [])
      .map((parameter) => ({
        ...this.#open(parameter, selectVersion(parameter, undefined)),
        selector: undefined,
      }));
  }

  history(name: string, staleMs = 0): readonly ReadParameter[] {
    checkName(name);
    const parameter = this.#seen(name, staleMs);
    if (parameter === undefined) throw parameterNotFound();
    return parameter.versions.map((version) => ({
      ...this.#open(parameter, version),
      selector: undefined,
    }));
  }

  put(write: ParameterWrite): number {
    checkName(write.name);
    if (write.allowedPattern !== undefined) checkPattern(write.allowedPattern);
    const existing = this.#seen(write.name, 0);
    if (existing !== undefined && write.tags !== undefined && write.overwrite) {
      throw validationError(
        "Invalid request: tags and overwrite can't be used together. To create a parameter with tags, please remove overwrite flag. To update tags for an existing parameter, please use AddTagsToResource or RemoveTagsFromResource.",
      );
    }
    if (existing !== undefined && !write.overwrite) throw alreadyExists();
    if (existing !== undefined && (write.type ?? existing.type) !== existing.type)
      throw new AwsRefusal(
        'HierarchyTypeMismatchException',
        "Parameter Store doesn't support changing a parameter type in a hierarchy. You must create a new, unique parameter.",
      );
    const newestAtMs = existing?.versions.at(-1)?.modifiedAtMs ?? Number.NEGATIVE_INFINITY;
    if (this.#world.now() < newestAtMs + this.#world.updateMs)
      throw new AwsRefusal('TooManyUpdates', 'There are concurrent updates for a resource.');
    const tier = existing?.tier === 'Advanced' ? 'Advanced' : tierOf(write);
    checkValue(write.value, {
      tier,
      allowedPattern: write.allowedPattern ?? existing?.allowedPattern,
    });
    const parameter = existing ?? this.#create(write);
    if (tier === 'Advanced') parameter.tier = tier;
    return this.#addVersion(parameter, write);
  }

  remove(name: string): void {
    const parameter = this.#seen(name, 0);
    if (parameter === undefined) throw parameterNotFound();
    this.#document[name] = { ...parameter, deletedAtMs: this.#world.now() };
    this.#save();
  }

  label(name: string, version: number | undefined, labels: readonly string[]): number {
    const parameter = this.#seen(name, 0);
    const chosen = selectVersion(parameter, version === undefined ? undefined : String(version));
    for (const own of parameter?.versions ?? []) {
      own.labels.splice(
        0,
        own.labels.length,
        ...own.labels.filter((label) => !labels.includes(label)),
      );
    }
    chosen.labels.push(...labels);
    this.#save();
    return chosen.version;
  }

  tag(name: string, tags: Readonly<Record<string, string>>): void {
    const parameter = this.#seen(name, 0);
    if (parameter === undefined) throw new AwsRefusal('InvalidResourceId', '');
    Object.assign(parameter.tags, tags);
    this.#save();
  }

  #seen(name: string, staleMs: number): StoredParameter | undefined {
    const parameter = Object.hasOwn(this.#document, name) ? this.#document[name] : undefined;
    if (staleMs > 0) return seenAt(parameter, this.#world.now() - staleMs);
    return parameter?.deletedAtMs === undefined ? parameter : undefined;
  }

  // Creates a parameter. AWS requires 30 s between a name's deletion and its next creation.
  #create(write: ParameterWrite): StoredParameter {
    const buried = this.#document[write.name];
    const restsUntil =
      (buried?.deletedAtMs ?? Number.NEGATIVE_INFINITY) + this.#world.recreateAfterMs;
    if (this.#world.now() < restsUntil) throw alreadyExists();
    if (write.type === undefined) {
      throw validationError('A parameter type is required when you create a parameter.');
    }
    const parameter: StoredParameter = {
      name: write.name,
      type: write.type,
      tags: {},
      versions: [],
    };
    this.#document[write.name] = parameter;
    return parameter;
  }

  #addVersion(parameter: StoredParameter, write: ParameterWrite): number {
    const version = (parameter.versions.at(-1)?.version ?? 0) + 1;
    const content =
      parameter.type === 'SecureString' ? this.#world.store.seal(write.value) : write.value;
    const oldest = parameter.versions[0];
    if (
      parameter.versions.length >= keptVersions &&
      oldest !== undefined &&
      oldest.labels.length > 0
    ) {
      throw new AwsRefusal(
        'ParameterMaxVersionLimitExceeded',
        `The oldest version of ${write.name} has a label.`,
      );
    }
    parameter.versions = [
      ...parameter.versions,
      { version, content, modifiedAtMs: this.#world.now(), labels: [] },
    ].slice(-keptVersions);
    if (write.description !== undefined) parameter.description = write.description;
    if (write.allowedPattern !== undefined) parameter.allowedPattern = write.allowedPattern;
    if (write.keyId !== undefined) parameter.keyId = write.keyId;
    Object.assign(parameter.tags, write.tags);
    this.#save();
    return version;
  }

  #open(parameter: StoredParameter, own: ParameterVersion): Omit<ReadParameter, 'selector'> {
    const isSecret = parameter.type === 'SecureString';
    return {
      parameter,
      version: own.version,
      modifiedAtMs: own.modifiedAtMs,
      labels: own.labels,
      sealed: isSecret ? own.content : undefined,
      value: () => (isSecret ? this.#world.store.open(own.content) : own.content),
    };
  }

  #save(): void {
    this.#world.store.save('parameters', this.#document);
  }
}

export interface ParametersWorld {
  readonly store: SandboxStore;
  readonly recreateAfterMs: number;
  /** Time for which a write blocks other writes of its name. */
  readonly updateMs: number;
  now(): number;
}

export interface ParameterWrite {
  name: string;
  value: string;
  overwrite: boolean;
  type?: ParameterType | undefined;
  tier?: ParameterTier | 'Intelligent-Tiering' | undefined;
  description?: string | undefined;
  allowedPattern?: string | undefined;
  keyId?: string | undefined;
  tags?: Record<string, string> | undefined;
}

export interface ReadParameter {
  readonly parameter: StoredParameter;
  readonly version: number;
  readonly modifiedAtMs: number;
  readonly labels: readonly string[];
  readonly selector: string | undefined;
  /** Text that a read without decryption returns for a secret. */
  readonly sealed: string | undefined;
  value(): string;
}

function tierOf({ tier = 'Standard', value }: ParameterWrite): ParameterTier {
  if (tier !== 'Intelligent-Tiering') return tier;
  return Buffer.byteLength(value) > mostBytes.Standard ? 'Advanced' : 'Standard';
}

function alreadyExists(): AwsRefusal {
  return new AwsRefusal(
    'ParameterAlreadyExists',
    'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
  );
}

const keptVersions = 100;
