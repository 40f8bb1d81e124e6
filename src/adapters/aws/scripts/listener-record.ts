/**
 * The count itself, in awk. `host-state.sh` of the reference module has the very same lines: who ends a
 * host from outside asks what we ask.
 */
export const countOpenMessages = String.raw`
    / INFO Listener\] Runner is built for / { jobs = 0; message = 0; next }
    / INFO (Broker)?MessageListener\] Message .* received/ { message = 1; next }
    / INFO (Broker)?MessageListener\] No message retrieved / { message = 0; next }
    / INFO JobDispatcher\] Job request .* received\./ { message = 0; jobs++; next }
    / INFO (Broker)?MessageListener\] Received job status event\. JobState: Online/ { if (jobs > 0) jobs--; next }
    / INFO JobDispatcher\] Job cancellation request / { message = 0; next }
    / (INFO|ERR ) Runner\] (Skipping message Job|Caught exception from acquiring job message|Skip message deletion|Refresh message received|Received ForceTokenRefreshMessage|No session restart needed|Runner configuration was updated|Received message .* with unsupported message type)/ { message = 0 }
    END { print jobs + message }
`.slice(1, -1);

/**
 * Defines `open_messages FOLDER`: prints how many messages the listener has received whose job has no
 * end yet, by its own record; its code is 1 where there is no record that could be read.
 *
 * actions/runner v2.336.0 writes each message down before it acknowledges or acquires the job
 * (`GetNextMessageAsync` of MessageListener.cs and BrokerMessageListener.cs), and flushes the file with
 * each line (HostTraceListener.cs, `WriteLine`). `JobDispatcher.Run` writes the job's arrival, and the
 * last act of a job, however it ended, is `JobState: Online` (JobDispatcher.cs, `RunAsync`). A message
 * that was no job, or whose job was not given, has a line of its own in Runner.cs. One that is followed
 * by none of these stays open: that is waited for, never guessed.
 *
 * A page has 8 MB and a page's name begins with the time, so that three of them are enough for
 * whatever is open, and a start of the listener begins anew.
 */
export const openMessages = String.raw`
open_messages() {
  set -- "$1"/_diag/Runner_*-utc.log
  [ -r "$1" ] || return 1
  while [ $# -gt 3 ]; do shift; done
  bounded 20 awk '
${countOpenMessages}
  ' "$@"
}
`.trim();
