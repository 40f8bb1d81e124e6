/** A runner's endpoints as its version has them. */
export function curl(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const has = (since: number) => major * 100 + minor >= since;
  const answer = (body: string, header = 'Content-Type: text/plain') =>
    `printf 'HTTP/1.1 200 OK\\r\\n${header}\\r\\n\\r\\n${body}'`;
  const missing = `printf 'HTTP/1.1 404 Not Found\\r\\nX: y\\r\\n\\r\\n404 page not found\\n'`;
  return `
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
esac`;
}

export const docker = (inspected: string, version: string) => `
case "$line" in
  inspect*) echo '${inspected}' ;;
  *runner_system_id) echo s_0123456789ab ;;
  *--version) echo 'Version:      ${version}' ;;
  logs*) echo 'one line' ;;
esac`;
