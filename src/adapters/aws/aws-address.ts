import { refuseAddress } from '../transport/url-check.ts';

/**
 * Part of an SDK client that sees every request before it is sent. The SDK's own types depend on
 * the service.
 */
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
 * Refuses an address without TLS, because requests contain runner tokens. The SDK accepts any
 * protocol from variables and profiles.
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
