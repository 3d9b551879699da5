/**
 * The keeper's program. It reads `+ GROUP START` and `- GROUP` lines; when its input ends (its host closed it, or is
 * gone, however it went) it kills the groups that are left. POSIX sh, built-ins only on Linux.
 *
 * A group is spared only when its leader's pid now belongs to a process with another start time: then the group had
 * ended and the number was given to a stranger. `$1` says where start times are read: `proc` or `ps`.
 */
export const keeperScript = `
set -f
trap '' HUP INT QUIT TERM TSTP
guarded=

start_from_proc() {
  now=
  { read -r line < "/proc/$1/stat"; } 2>/dev/null || return 0
  set -- \${line##*) }
  now=\${20}
}

start_from_ps() {
  set -- $(LC_ALL=C TZ=UTC ps -o lstart= -p "$1" 2>/dev/null)
  now="$1_$2_$3_$4_$5"
  [ "$now" != ____ ] || now=
}

while read -r what group start; do
  case $what in
    +) guarded="$guarded $group:\${start%@*}" ;;
    -)
      left=
      for one in $guarded; do [ "\${one%%:*}" = "$group" ] || left="$left $one"; done
      guarded=$left
      ;;
  esac
done

for one in $guarded; do
  group=\${one%%:*}
  start_from_$1 "$group"
  [ -n "$now" ] && [ "$now" != "\${one#*:}" ] || kill -s KILL -- "-$group" 2>/dev/null
done
exit 0
`;
