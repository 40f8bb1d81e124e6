import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * Returns a listener that reads the whole request. If a client is killed during a request, only
 * that request ends, because a rejection would fail the current test. Any other error fails the
 * test.
 */
export function answered(
  listener: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): RequestListener {
  return (request, response) =>
    void listener(request, response).catch((error: unknown) => {
      response.destroy();
      if (request.complete) throw error;
    });
}
