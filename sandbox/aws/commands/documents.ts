import { createHash } from 'node:crypto';
import type { SandboxStore } from '../../surroundings/store.ts';
import type { Body, OperationCall } from '../operation.ts';
import { AwsRefusal } from '../refusal.ts';

/** Documents of the account for Run Command, with schema 2.2 and one step `aws:runShellScript`. */
export class Documents {
  readonly #store: SandboxStore;
  readonly #saved: { documents: Record<string, string[]> };

  constructor(store: SandboxStore) {
    this.#store = store;
    this.#saved = store.load<{ documents: Record<string, string[]> }>('documents') ?? {
      documents: {},
    };
  }

  create(name: string, content: string): Body {
    if (!/^[a-zA-Z0-9_.-]{3,128}$/.test(name) || /^(?:aws|amazon|amzn)/i.test(name))
      throw new AwsRefusal('ValidationException', `The document name ${name} is not allowed.`);
    if (Object.hasOwn(this.#saved.documents, name))
      throw new AwsRefusal('DocumentAlreadyExists', `Document with name ${name} already exists.`);
    parseDocument(content);
    return this.#keep(name, [content]);
  }

  /** Adds a version. The default version stays the same, as in AWS. */
  update(name: string, content: string, version: string): Body {
    const versions = this.#versions(name);
    if (!['$LATEST', String(versions.length)].includes(version))
      throw new AwsRefusal('InvalidDocumentVersion', 'The document version is not the newest.');
    if (versions.includes(content))
      throw new AwsRefusal('DuplicateDocumentContent', 'A version has the same content.');
    parseDocument(content);
    return this.#keep(name, [...versions, content]);
  }

  describe(name: string): Body {
    const versions = this.#versions(name);
    return {
      Name: name,
      Hash: sha256(versions.at(-1) ?? ''),
      HashType: 'Sha256',
      Status: 'Active',
      DocumentType: 'Command',
      DocumentFormat: 'JSON',
      SchemaVersion: '2.2',
      DocumentVersion: String(versions.length),
      LatestVersion: String(versions.length),
      DefaultVersion: '1',
    };
  }

  /** Returns the document of a command. Refuses it if its hash differs from the command's. */
  pick(nameOrArn: string, order: Body): CommandDocument {
    const versions = this.#versions(nameOrArn.replace(/^arn:.*:document\//, ''));
    const version = String(order['DocumentVersion'] ?? '$DEFAULT');
    const number = { $LATEST: versions.length, $DEFAULT: 1 }[version] ?? Number(version);
    const content = versions[number - 1];
    if (content === undefined)
      throw new AwsRefusal('InvalidDocumentVersion', `Version ${version} does not exist.`);
    const hash = order['DocumentHash'];
    // Message of AWS:
    // https://github.com/aws-samples/aws-security-reference-architecture-examples/issues/301
    if (hash !== undefined && hash !== sha256(content))
      throw new AwsRefusal('InvalidDocument', `document hash ${hash} does not match Sha256.`);
    return parseDocument(content);
  }

  #versions(name: string): readonly string[] {
    const versions = Object.hasOwn(this.#saved.documents, name)
      ? this.#saved.documents[name]
      : undefined;
    if (versions === undefined)
      throw new AwsRefusal('InvalidDocument', `Document with name ${name} does not exist.`);
    return versions;
  }

  #keep(name: string, versions: readonly string[]): Body {
    this.#saved.documents[name] = [...versions];
    this.#store.save('documents', this.#saved);
    return this.describe(name);
  }
}

export function documentOperations(
  documents: Documents,
): Readonly<Record<string, (call: OperationCall) => Body>> {
  const text = (body: Body, key: string) => String(body[key] ?? '');
  return {
    CreateDocument: ({ body }) => ({
      DocumentDescription: documents.create(text(body, 'Name'), text(body, 'Content')),
    }),
    UpdateDocument: ({ body }) => {
      const version = text(body, 'DocumentVersion');
      return {
        DocumentDescription: documents.update(text(body, 'Name'), text(body, 'Content'), version),
      };
    },
    DescribeDocument: ({ body }) => ({ Document: documents.describe(text(body, 'Name')) }),
  };
}

export interface CommandDocument {
  readonly parameters: Readonly<Record<string, DocumentParameter>>;
  readonly mainSteps: readonly [
    {
      readonly action: string;
      readonly inputs: { readonly timeoutSeconds?: string; readonly runCommand: readonly string[] };
    },
  ];
}

interface DocumentParameter {
  readonly default?: string;
  readonly allowedValues?: readonly string[];
  readonly allowedPattern?: string;
}

// https://docs.aws.amazon.com/general/latest/gr/ssm.html (document size)
const mostBytes = 64 * 1024;

function parseDocument(content: string): CommandDocument {
  if (Buffer.byteLength(content) > mostBytes)
    throw new AwsRefusal('MaxDocumentSizeExceeded', 'The size limit of a document is 64 KB.');
  try {
    const parsed = JSON.parse(content) as CommandDocument & { schemaVersion?: unknown };
    const [step] = parsed.mainSteps;
    if (parsed.schemaVersion === '2.2' && step.action === 'aws:runShellScript') return parsed;
  } catch {
    // AWS has one error for every problem of a document.
  }
  throw new AwsRefusal('InvalidDocumentContent', 'The content for the document is not valid.');
}

/** Inserts the values of parameters into the script, as AWS does before it sends a command. */
export function fillDocument(
  { parameters, mainSteps: [{ inputs }] }: CommandDocument,
  given: Readonly<Record<string, readonly string[]>>,
): { lines: readonly string[]; executionSeconds: number } {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined)
    throw new AwsRefusal('InvalidParameters', `Parameter ${unknown} is not in the document.`);
  const values = Object.entries(parameters).map(
    ([name, parameter]) => [name, chooseValue(name, parameter, given[name])] as const,
  );
  const fill = (text: string) =>
    values.reduce((filled, [name, value]) => filled.replaceAll(`{{ ${name} }}`, value), text);
  return {
    lines: inputs.runCommand.map(fill),
    executionSeconds: Number(fill(inputs.timeoutSeconds ?? '3600')),
  };
}

function chooseValue(
  name: string,
  { default: otherwise, allowedValues, allowedPattern }: DocumentParameter,
  given: readonly string[] | undefined,
): string {
  const value = given?.[0] ?? otherwise;
  if (value === undefined || (given !== undefined && given.length !== 1))
    throw new AwsRefusal('InvalidParameters', `Parameter ${name} needs one value.`);
  const isAllowed =
    (allowedValues === undefined || allowedValues.includes(value)) &&
    (allowedPattern === undefined || new RegExp(allowedPattern).test(value));
  if (isAllowed) return value;
  throw new AwsRefusal('InvalidParameters', `Parameter ${name} has a value that is not allowed.`);
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
