/**
 * Program that turns all responses of a check into `key=value` lines, each cut to its length. A
 * line with `mark`, the response's key and its exit code follows each response. A job cannot forge
 * such a line, because `mark` is random.
 *
 * The log comes last, after its own mark. Without that mark, no line of it is printed: a killed
 * check may end in the middle of the configuration and its tokens.
 *
 * curl writes a line after each response. Before 7.75 it lacks `%{exitcode}`: a response is then
 * complete if its length matches its header. The jobs come last, because curl's own exit code
 * belongs to its last request.
 */
export const reportProgram = String.raw`
  function out(text) { print text; bytes_left -= length(text) + 1 }
  function first(key, count, most,   at, text) {
    for (at = 1; at <= n && at <= count; at++) {
      text = line[at]
      gsub(/\r/, "", text)
      out(key "=" substr(text, 1, most))
    }
  }
  function brief(   at, text) {
    for (at = 1; at <= n && length(text) < 300; at++) text = text line[at] " "
    gsub(/\r/, " ", text)
    return substr(text, 1, 300)
  }
  function page(key, code) {
    out(key "_code=" code)
    first(key, 40, 160)
    out(key "_lines=" n)
  }
  function is_whole(status, size,   at, text) {
    for (at = 1; at <= n && line[at] !~ /^\r?$/; at++) {
      text = tolower(line[at])
      if (sub(/^content-length: */, "", text)) return status != "000" && text + 0 == size + 0
    }
    return 0
  }
  function answer(status, code, size,   key) {
    key = endpoint[++answered]
    if (key == "metrics" && status ~ /^[123]/) metrics()
    if (key == "metrics") return
    if (code == "" && key == "jobs") code = "of curl"
    if (code == "") code = is_whole(status, size) ? 0 : "unknown"
    if (code != "of curl") { page(key, code); return }
    first(key, 40, 160)
    out(key "_lines=" n)
    awaited = key
  }
  function end_of_answers(code) {
    if (awaited != "") out(awaited "_code=" code)
    while (answered < 4)
      if (endpoint[++answered] != "metrics") out(endpoint[answered] "_code=" (code == 0 ? "unknown" : code))
  }
  function runner(label) {
    if (!sub(/.*[{,]runner="/, "", label) || !sub(/".*/, "", label) || label ~ /[^0-9A-Za-z_-]/) return ""
    if (!(label in known)) {
      known[label]
      labels = labels " " label
      several++
    }
    return label
  }
  function metric(   short, state, slots) {
    if (/^gitlab_runner_limit[{]/ && limits++ < 40 && (short = runner($0)) != "") configured = configured "configured=" short "\n"
    if (/^gitlab_runner_version_info/ && !versions++) version = "metric=" substr($0, 1, 500) "\n"
    if (/system_id="/ && !systems++) system_id = "metric=" substr($0, 1, 500) "\n"
    if (/^gitlab_runner_job_router_get_job_duration_seconds_count/ && $NF > 0 && routers++ < 40) {
      counts = counts "requests=" substr($0, 1, 400) "\n"
      runner($0)
    }
    if (/^(gitlab_runner_concurrent |gitlab_runner_api_request_statuses_total[{].*endpoint="request_job")/ && requests++ < 40) {
      counts = counts "requests=" substr($0, 1, 400) "\n"
      runner($0)
    }
    if (/^fleeting_taskscaler_tasks[{].*state="[a-z]+"/) {
      state = $0
      sub(/.*[{,]state="/, "", state)
      sub(/".*/, "", state)
      if (length(state) < 20 && $NF ~ /^[0-9][0-9.e+]*$/) tasks[state] += $NF
      else unread = 1
    }
    if (/^gitlab_runner_autoscaling_machine_states[{]/) machines += $NF
    if (/^(fleeting_taskscaler_tasks|gitlab_runner_autoscaling_machine_states)[{].*state="idle"/ && idles++ < 40) {
      slots = /^fleeting/
      sub(/.*[}]/, "}")
      if (slots) idle = idle "idle=" substr($0, 1, 40) "\n"
      else idle_machines = idle_machines "idle=" substr($0, 1, 40) "\n"
    }
  }
  function metrics(   at, state, states, text) {
    for (at = 1; at <= n; at++) { $0 = line[at]; metric() }
    if (several > 1) out("several=" labels)
    for (state in tasks) if (!unread && states++ < 12) out("tasks=" state " " sprintf("%d", tasks[state]))
    text = version system_id configured counts idle (machines > 0 ? idle_machines : "")
    if (text != "") out(substr(text, 1, length(text) - 1))
  }
  function value(   text) { text = $0; sub(/^[^=]*=[ \t]*["\047]?/, "", text); sub(/["\047 \t\r].*/, "", text); return text }
  function runners(   at, count, last, inside, one, short, label, token, id) {
    count = split(labels, label, " ")
    for (at = 1; at <= n; at++) {
      $0 = line[at]
      if (/^[ \t]*\[/) { inside = /^[ \t]*\[\[runners\]\]/; if (inside) last++ }
      if (inside && /^[ \t]*token[ \t]*=/) token[last] = value()
      if (inside && /^[ \t]*id[ \t]*=/) id[last] = value()
    }
    for (at = 1; at <= last && at <= 40; at++) {
      short = "-"
      for (one = 1; one <= count; one++) if (length(label[one]) > 7 && index(token[at], label[one])) short = label[one]
      out("runner=" short " " (id[at] ~ /^[0-9]+$/ ? id[at] : "-"))
    }
  }
  function own_unit(   at, text, from, loaded, runs) {
    for (at = 1; at <= n; at++) {
      text = line[at]
      if (text == "LoadState=loaded") loaded = 1
      if (sub(/^ExecStart=/, "", text) && (from = match(text, /docker|podman/)) && index(substr(text, from + 6), name)) runs = 1
    }
    if (!loaded || !runs) return
    for (at = 1; at <= n; at++) if (line[at] ~ /^(ActiveState|SubState|Restart|Job)=/) out("unit=" line[at])
  }
  function print_version(   at, text) {
    for (at = 1; at <= n; at++) {
      text = line[at]
      if (!sub(/^Version: */, "", text)) continue
      out("version=" substr(text, 1, 52))
      return
    }
  }
  function workers(   at, count) {
    for (at = 1; at <= n; at++) if (line[at] ~ /^[0-9]+$/ && count++ < 60) out("worker=" line[at])
  }
  function record(has_agent,   at, text, version) {
    for (at = 1; at <= n; at++) {
      text = line[at]
      if (text ~ /^\[/) has_agent = 0
      if (has_agent && sub(/.*"agentName": *"/, "", text) && sub(/".*/, "", text)) {
        out("agent=" substr(text, 1, 200))
        has_agent = 0
      }
      if (sub(/^\[[^]]* INFO Listener\] Version: */, "", text) && match(text, /^[0-9][0-9A-Za-z.+-]*/)) version = substr(text, 1, RLENGTH)
    }
    if (version != "") out("version=" substr(version, 1, 60))
  }
  function print_value(key, code,   at, text) {
    while (n > 0 && line[n] == "") n--
    if (key == "clock") first("clock", 1, 20)
    if (key ~ /^(inspect|show|workers)$/) out(key "_code=" code)
    if (key == "inspect") out("inspect=" brief())
    if (key == "show") first("unit", 8, 300)
    if (key == "unit" && code == 2) out("unit_code=2")
    if (key == "unit" && code == 0) own_unit()
    if (key == "http") { split(code, part, "/"); answer(part[1], part[2], part[3]) }
    if (key == "curl") end_of_answers(code)
    if (key == "wrapper") {
      for (at = 1; at <= n; at++) text = text line[at]
      gsub(/ /, "", text)
      out("wrapper=" substr(text, 1, 200))
    }
    if (key == "system_id") first("system_id", 1, 40)
    if (key == "config" && several > 1) runners()
    if (key == "version") print_version()
    if (key == "workers") workers()
    if (key == "messages") out("messages=" (code == 0 && n > 0 ? line[1] : "unreadable"))
    if (key == "record") record(code == 0)
    n = 0
  }
  BEGIN { split("state ready metrics jobs", endpoint, " ") }
  !is_log && index($0, mark " ") == 1 {
    split($0, word, " ")
    is_log = word[2] == "log"
    print_value(word[2], word[3])
    next
  }
  { line[++n] = $0 }
  END {
    total = is_log ? n : 0
    for (at = 1; at <= total; at++) {
      gsub(/\033\[[0-9;]*m/, "", line[at])
      gsub(/   */, " ", line[at])
      line[at] = "log=" substr(line[at], 1, 2000)
    }
    for (at = total; at > 0 && shown < 60; at--) {
      if (total - at >= 30 && line[at] ~ /Updating job\.\.\.|(Submitting job|Appending trace) to coordinator\.\.\.(ok|accepted)|(Added|Removed) job (to|from) processing list/) continue
      bytes_left -= length(line[at]) + 1
      if (bytes_left < 0) break
      log_line[++shown] = line[at]
    }
    for (; shown > 0; shown--) print log_line[shown]
  }
`.slice(1, -1);
