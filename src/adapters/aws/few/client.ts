import type { STSClientConfig } from '@aws-sdk/client-sts';
import { refuseClearText } from '../address.ts';
import type { ClientConfiguration } from '../ask.ts';
import { shapeNamespace } from './schema.ts';

/** A service that we ask for a few operations only. */
export interface FewService {
  /** As AWS_ENDPOINT_URL_… and a profile's `services` spell it: `EC2`, `Auto Scaling`. */
  readonly id: string;
  /** In the signature's scope. */
  readonly signingName: string;
  readonly protocol: 'ec2' | 'query' | 'json';
  readonly version: string;
  readonly xmlNamespace: string;
  /** The service's name in front of an operation, for JSON. */
  readonly target: string;
  /** Where it is, and which region signs, for services that are not in every region. */
  readonly place: (region: string, suffix: string) => { host: string; signingRegion?: string };
}

/** A function of one operation; the SDK's own types say what goes in and out. */
export type Operation<Input, Output> = (
  input: Input,
  options?: { readonly abortSignal?: AbortSignal },
) => Promise<Output>;

export interface FewClient {
  operation<Input, Output>(schema: readonly unknown[]): Operation<Input, Output>;
  /** What the SDK found in environment and profile. */
  region(): Promise<string>;
  destroy(): void;
}

/**
 * A client of the SDK for a service whose own package is too large for what we ask of it:
 * client-ec2 alone is a megabyte. Region, credentials, endpoints, signing, protocol and errors are the
 * SDK's; the shapes of the few operations are ours. Decision record 0017.
 */
export async function openFewClient(
  service: FewService,
  configuration: ClientConfiguration & object,
): Promise<FewClient> {
  const [sts, protocols, { getEndpointPlugin }, { partition }] = await Promise.all([
    import('@aws-sdk/client-sts'),
    import('@aws-sdk/core/protocols'),
    import('@smithy/core/endpoints'),
    import('@aws-sdk/core/client'),
  ]);
  const protocol = {
    ec2: protocols.AwsEc2QueryProtocol,
    query: protocols.AwsQueryProtocol,
    json: protocols.AwsJson1_1Protocol,
  }[service.protocol];
  const place = (region: string) => service.place(region, partition(region).dnsSuffix);
  const settings = { ...configuration, ...identityOf(service), ...whereabouts(service, place) };
  const client = new sts.STSClient({ ...settings, protocol } as unknown as STSClientConfig);
  refuseClearText(client);
  return {
    operation: (schema) => {
      const Command = sts.$Command
        .classBuilder()
        .ep({
          Region: { type: 'builtInParams', name: 'region' },
          Endpoint: { type: 'builtInParams', name: 'endpoint' },
        })
        .m((Own, _stack, config) => [
          getEndpointPlugin(config, Own.getEndpointParameterInstructions()),
        ])
        .s(service.target, String(schema[2]), {})
        .n(`${service.target}Client`, `${String(schema[2])}Command`)
        .sc(schema as never)
        .build() as unknown as new (
        input: unknown,
      ) => never;
      return (input, options) => client.send(new Command(input), options) as Promise<never>;
    },
    region: () => client.config.region(),
    destroy: () => client.destroy(),
  };
}

function identityOf({ id, signingName, version, xmlNamespace, target }: FewService) {
  return {
    serviceId: id,
    signingName,
    protocolSettings: {
      defaultNamespace: shapeNamespace,
      xmlNamespace,
      version,
      serviceTarget: target,
    },
  };
}

type Place = (region: string) => ReturnType<FewService['place']>;

function whereabouts({ signingName }: FewService, place: Place) {
  return {
    endpointProvider: ({ Region = '', Endpoint }: { Region?: string; Endpoint?: string }) => ({
      url: new URL(Endpoint ?? `https://${place(Region).host}`),
    }),
    httpAuthSchemeProvider: ({ region }: { region: string }) => [
      {
        schemeId: 'aws.auth#sigv4',
        signingProperties: { name: signingName, region: place(region).signingRegion ?? region },
        propertiesExtractor: (config: unknown, context: unknown) => ({
          signingProperties: { config, context },
        }),
      },
    ],
  };
}
