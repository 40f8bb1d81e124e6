/**
 * Returns a stub of curl. `body` is a shell script that prints the response for the address in
 * `$line` and exits with curl's code. The stub writes the format of --write-out after each
 * response. Without `exitcode`, it acts like curl before 7.75.
 */
export function answering(body: string, { exitcode = true } = {}): string {
  return `
answer() {
${body}
}
format=
blank=$(printf '\\r\\n\\r\\n.')
blank=\${blank%.}
while [ $# -gt 0 ]; do
  case $1 in
    --write-out) format=$2; shift ;;
    http://*) set -- "$@" "url=$1" ;;
    url=*)
      line=\${1#url=}
      text=$( (answer); printf '|%s' $?)
      code=\${text##*|}
      text=\${text%|*}
      status=000
      case $text in "HTTP/1.1 "*) status=\${text#HTTP/1.1 }; status=\${status%%[!0-9]*} ;; ?*) status=200 ;; esac
      printf %s "$text"
      body=\${text#*"$blank"}
      [ -z "$format" ] || printf '%b' "$format" | sed "s/%{http_code}/$status/; s/%{exitcode}/${exitcode ? '$code' : ''}/; s/%{size_download}/\${#body}/"
      ;;
  esac
  shift
done
exit "\${code:-2}"
`;
}

/** Returns a stub of curl with the endpoints that a runner's version has. */
export function curl(version: string, known?: { exitcode?: boolean }): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const has = (since: number) => major * 100 + minor >= since;
  const answer = (body: string, header = 'Content-Type: text/plain') =>
    `printf 'HTTP/1.1 200 OK\\r\\n${header}\\r\\n\\r\\n${body}'`;
  const missing = `printf 'HTTP/1.1 404 Not Found\\r\\nX: y\\r\\n\\r\\n404 page not found\\n'`;
  return answering(
    `
case "$line" in
  */debug/process/state) ${has(1901) ? answer('running') : missing} ;;
  */health/ready) ${has(1902) ? answer('ready') : missing} ;;
  */debug/jobs/list) ${answer('', 'X-List-Version: 2')} ;;
  */metrics) cat <<'END'
gitlab_runner_version_info{name="gitlab-runner",version="${version}"} 1
gitlab_runner_concurrent 10
gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="a",status="204",system_id="s_0123456789ab"} 1.2e+06
gitlab_runner_api_request_statuses_total{endpoint="request_job",runner="a",status="403",system_id="s_0123456789ab"} 3
gitlab_runner_api_request_statuses_total{endpoint="update_job",runner="a",status="200",system_id="s_0123456789ab"} 9
fleeting_taskscaler_tasks{runner="a",state="idle"} 3
fleeting_taskscaler_tasks{runner="b",state="idle"} 2
fleeting_taskscaler_tasks{runner="a",state="acquired"} 7
END
  ;;
  *) exit 7 ;;
esac`,
    known,
  );
}

/**
 * Returns a stub of docker. Its `exec` prints the output of the script in the container, with the
 * given mark.
 */
export const docker = (inspected: string, version: string, configured = '') => `
for mark; do :; done
case "$line" in
  inspect*) echo '${inspected}' ;;
  exec*) printf '%s\n%s system_id 0\n%s\n%s config 0\n%s\n' s_0123456789ab "$mark" '${configured}' "$mark" 'Version:      ${version}' ;;
  logs*) echo 'one line' ;;
esac`;
