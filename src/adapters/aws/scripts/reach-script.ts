import { script } from './script-parts.ts';

/** Connects to all targets in parallel: a slow target does not delay the others. */
export function reachScript(targets: readonly string[]): string {
  const addresses = Object.fromEntries(
    targets.map((target, index) => [`target_${index}`, urlOf(target)]),
  );
  const probes = targets.map((_, index) => `probe ${index} "$target_${index}" &`);
  return script({ values: {}, addresses, body: [probe, ...probes, 'wait'].join('\n') });
}

/** Returns the URL for curl. For `host:port`, only the connection matters, not the response. */
function urlOf(target: string): string {
  return target.includes('://') ? target : `http://${target}/`;
}

const probe = `
probe() {
  seen=$(bounded 12 curl --silent --connect-timeout 5 --max-time 10 --output /dev/null --write-out '%{time_connect} %{http_code}' "$2" </dev/null 2>/dev/null)
  print reach "$1 $? $seen"
}
`.trim();
