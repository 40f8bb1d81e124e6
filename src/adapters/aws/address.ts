import { refuseAddress } from '../transport/address.ts';

/** The part of a client of the SDK that sees every request before it is sent; its own types name the service's. */
interface RequestSteps {
  add(
    middleware: <Output>(
      next: (given: { readonly request?: unknown }) => Promise<Output>,
    ) => (given: { readonly request?: unknown }) => Promise<Output>,
    options: { step: 'finalizeRequest'; priority: 'low'; name: string },
  ): void;
}

export const insecureAddress = 'InsecureAddress';

/**
 * Runner tokens go this way. The SDK takes its address from variables and from profiles, and any
 * protocol is fine with it.
 */
export function refuseClearText(client: { readonly middlewareStack: unknown }): void {
  const steps = client.middlewareStack as RequestSteps;
  steps.add(
    (next) => (given) => {
      const { protocol = 'https:', hostname = '' } = (given.request ?? {}) as {
        readonly protocol?: string;
        readonly hostname?: string;
      };
      const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
      const url = `${protocol}//${host}/`;
      const detail = URL.canParse(url) ? refuseAddress(new URL(url)) : undefined;
      if (detail === undefined) return next(given);
      return Promise.reject(Object.assign(new Error(detail), { name: insecureAddress }));
    },
    { step: 'finalizeRequest', priority: 'low', name: 'refuseClearText' },
  );
}
