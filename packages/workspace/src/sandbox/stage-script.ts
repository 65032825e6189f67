/**
 * The first program inside a sandbox, for `sh`: proves that the sandbox holds, then becomes the command. Its arguments: the folder with lists of
 * paths, the program for `probe`, a port (0: none), the file with identities, the command line. Descriptor 3 takes the result, descriptor 4 is the standard error of the command.
 */
export const stageScript = `fail() { printf 'failed: %s' "$1" >&3; exit 125; }
lists=$1 program=$2 port=$3 identities=$4
shift 4

# Only built-in commands that a failed redirection does not end the shell of: a process for each path would cost a millisecond.
# No file may be created in folders outside.
while IFS= read -r path; do
  if printf '' 2>/dev/null >"$path/.parley-self-test-$port"; then
    rm -f -- "$path/.parley-self-test-$port"
    fail "a file could be created in $path"
  fi
done <"$lists/outside"

# Protected paths must be there, and must not be writable.
while IFS= read -r path; do
  [ -e "$path" ] || fail "the protection of $path was removed while the sandbox started"
  # The rights of a socket do not depend on its mount.
  if [ -w "$path" ] && ! [ -S "$path" ]; then fail "$path could be written"; fi
done <"$lists/protected"

# Hidden files must be empty or missing.
while IFS= read -r path; do
  if [ -s "$path" ] || read -r line 2>/dev/null <"$path"; then fail "the hidden path $path could be read"; fi
done <"$lists/hidden"

# Nothing was replaced while it was mounted. Nothing outside may be reached: Parley listens on that port.
said=$("$program" "$lists/probe" "$port" "$lists/$identities" 2>&1)
case $? in
  9) ;;
  0) fail "a connection to the network outside was possible" ;;
  7) printf 'replaced: %s' "$said" >&3; exit 125 ;;
  *) fail "it could not be tested with $program: $said" ;;
esac

printf held >&3
exec 3>&- 2>&4 4>&-
exec "$@"
`;

/**
 * Checks that files are those of a list of identities, and connects to a port of the loopback interface, for Perl: status 7 for a file that is another one, which it
 * prints, 0 when connected, 9 when not.
 */
export const perlProbe: string = String.raw`my ($port, $list) = @ARGV;
open(my $rows, '<:raw', $list) or die $!;
local $/ = "\0";
while (defined(my $row = <$rows>)) {
  chomp $row;
  my ($identity, $file) = split / /, $row, 2;
  my @is = lstat $file;
  next if @is && "$is[0]:$is[1]" eq $identity;
  print $file;
  exit 7;
}
exit 9 if $port == 0;
socket(my $s, 2, 1, 0) or exit 8;
alarm 10;
my $address = pack('S n C4 x8', 2, $port, 127, 0, 0, 1);
exit(connect($s, $address) ? 0 : 9);
`;

/** The same for Node, where there is no Perl. */
export const nodeProbe: string = String.raw`const fs = require('node:fs');
const [, , port, list] = process.argv;
for (const row of fs.readFileSync(list, 'utf8').split('\0').slice(0, -1)) {
  const space = row.indexOf(' ');
  const is = fs.lstatSync(row.slice(space + 1), { bigint: true, throwIfNoEntry: false });
  if (is !== undefined && is.dev + ':' + is.ino === row.slice(0, space)) continue;
  process.stdout.write(row.slice(space + 1));
  process.exit(7);
}
if (port === '0') process.exit(9);
require('node:net')
  .connect(Number(port), '127.0.0.1')
  .once('connect', () => process.exit(0))
  .once('error', () => process.exit(9));
`;
