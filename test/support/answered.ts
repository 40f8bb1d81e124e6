import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/**
 * A listener that waits for the whole request. Whoever is killed in the middle of one ends that request
 * alone: its rejection would fail whatever test is running just then. Any other error fails the test.
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
