/**
 * Nobody logs in to the sandbox: whoever reaches the loopback may direct it, and its AWS runs commands
 * on this machine. A browser may not, neither by another site's script (Origin, Sec-Fetch-Site) nor by
 * a name of somebody else's that points here (Host).
 */
export function whyStranger(headers: {
  get(name: string): string | null | undefined;
}): string | undefined {
  const host = (headers.get('host') ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(host)) {
    return 'The sandbox answers to a loopback address only.';
  }
  const from = headers.get('sec-fetch-site') ?? 'none';
  if ((headers.get('origin') ?? undefined) !== undefined || from !== 'none') {
    return 'The sandbox does not answer to browsers.';
  }
  return undefined;
}
