/**
 * The script of the watchdog for `sh`, which needs a tenth of the memory of Node.js, and no file. It reads process
 * groups from standard input, and ends the remaining ones when that is closed. While it waits it starts no process,
 * except to read the start time of a process on systems without `/proc`.
 */
export const watchdogScript = `# Ends what parley started, when parley itself has ended.
trap '' HUP INT TERM
set -f
umask 077
newline='
'
record= groups= folders=

# When a process began. proc(5): field 22, of which the name, the second, may hold spaces and brackets.
find_start() {
  started=
  if [ -r /proc/self/stat ]; then
    read -r started 2>/dev/null <"/proc/$1/stat"
    set -- \${started##*) }
    started=\${20}
  else
    started=$(LC_ALL=C ps -o lstart= -p "$1" 2>/dev/null)
  fi
}

save() {
  [ -n "$record" ] && printf '%s' "parley $owner\${newline}watchdog $watchdog\${newline}$groups" 2>/dev/null >"$record"
}

drop() {
  kept= IFS=$newline
  for line in $groups; do
    case $line in "group $1 "*) ;; *) kept=$kept$line$newline ;; esac
  done
  groups=$kept IFS=' '
}

forget() {
  kept= IFS=$newline
  for folder in $folders; do
    [ "$folder" = "$1" ] || kept=$kept$folder$newline
  done
  folders=$kept IFS=' '
}

# Removes a temporary folder; before, what a sandbox created in a workspace, by the lists in its folder. Their fields end with NUL.
clean() {
  xargs -0 rmdir -- <"$1/folders"
  xargs -0 -n 9 sh -c 'rmdir -- "$0"
    for file; do
      [ ! -e "$0" ] || exit 0
      line=-
      if [ -S "$file" ]; then line=; else IFS= read -r line <"$file"; fi
      case $line in "" | .) rm -f -- "$file" ;; esac
    done' <"$1/files"
  rm -rf -- "$1"
} 2>/dev/null

# Signals each group; true when one had a process.
signal() {
  found=1 IFS=$newline
  for line in $groups; do
    line=\${line#group }
    kill -s "$1" -- "-\${line%% *}" 2>/dev/null && found=0
  done
  IFS=' '
  return $found
}

IFS=' '
find_start "$PPID"; owner="$PPID $started"
find_start "$$"; watchdog="$$ $started"
while read -r verb value; do
  case $verb in
    add) find_start "$value"; groups="\${groups}group $value $started$newline" ;;
    remove) drop "$value" ;;
    record) record=$value ;;
    folder) folders=$folders$value$newline ;;
    unfolder) forget "$value" ;;
  esac
  save
done
if signal TERM; then
  tries=0
  while [ $tries -lt 10 ] && signal 0; do
    tries=$((tries + 1))
    sleep 0.1 2>/dev/null || { sleep 1; tries=10; }
  done
  signal KILL
fi
IFS=$newline
for folder in $folders; do
  clean "$folder"
done
[ -z "$record" ] || rm -f -- "$record"
`;
