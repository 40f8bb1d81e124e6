import { refuseAddress } from '../transport/url-check.ts';

/** The part of a client of the SDK that sees every request before it is sent; its own types name the service's. */
export interface RequestSteps {
  add(
    middleware: <Given extends object, Output>(
      next: (given: Given) => Promise<Output>,
    ) => (given: Given) => Promise<Output>,
    options: { step: 'finalizeRequest'; priority: 'low'; name: string },
  ): void;
}

export const insecureAddress = 'InsecureAddress';

/**
 * Runner tokens go this way. The SDK takes its address from variables and from profiles, and any
 * protocol is fine with it.
 */
export function refuseClearText(client: { readonly middlewareStack: RequestSteps }): void {
  client.middlewareStack.add(
    (next) => (given) => {
      const detail = refuseRequest('request' in given ? given.request : undefined);
      if (detail === undefined) return next(given);
      return Promise.reject(Object.assign(new Error(detail), { name: insecureAddress }));
    },
    { step: 'finalizeRequest', priority: 'low', name: 'refuseClearText' },
  );
}

function refuseRequest(request: unknown): string | undefined {
  const { protocol = 'https:', hostname = '' } = (request ?? {}) as {
    readonly protocol?: string;
    readonly hostname?: string;
  };
  const host = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname;
  const url = `${protocol}//${host}/`;
  return URL.canParse(url) ? refuseAddress(new URL(url)) : undefined;
}
