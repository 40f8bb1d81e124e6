/**
 * Defines `own_unit`: whether systemd has a unit of the container's name that runs the container, as that of
 * the reference module does. Restarts and starts are that unit's then: a restart policy of Docker beside it
 * makes two that start one name, and a reboot loops. A package's unit of the same name runs no container.
 */
export const ownUnit = `
own_unit() {
  command -v systemctl >/dev/null 2>&1 || return 1
  shown=$(bounded 10 systemctl show --property=LoadState,ExecStart "$name.service" 2>/dev/null)
  case $shown in *LoadState=loaded*) ;; *) return 1 ;; esac
  case $shown in *ExecStart=*docker*"$name"* | *ExecStart=*podman*"$name"*) return 0 ;; *) return 1 ;; esac
}
of_unit() ( name=$name.service; "$@" )
`.trim();
