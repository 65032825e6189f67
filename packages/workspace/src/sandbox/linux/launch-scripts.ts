/** Opens the report and the log of an engine, then becomes it. The arguments: report, log, mounts, filter, the engine's command line. */
export const bubblewrapScript = `exec 3>"$1" 4>&2 2>"$2" 8<"$3" 9<"$4"
shift 4
exec "$@"
`;

/** The same for Perl and `unshare`, which read both files by their names. */
export const unshareScript = `exec 3>"$1" 4>&2 2>"$2"
shift 2
exec "$@"
`;

/**
 * Becomes the command line in its arguments, for `perl -e`: closes descriptors that Parley inherited itself (`close_range`), and is ended when
 * Parley ends (PR_SET_PDEATHSIG with KILL). The first argument is the number of the call `prctl`.
 */
export const cleanStartScript: string =
  'my $prctl = shift; syscall($prctl, 1, 9, 0, 0, 0); syscall(436, 5, 7, 0); syscall(436, 10, 4294967295, 0); ' +
  'exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";';

/**
 * Sets up the namespaces that `unshare` made, for `perl -e`, as the first process in them: mounts, loopback interface, user,
 * capabilities, filter. Arguments: the file with mounts, the filter, an empty folder, the working directory, processor, user and group (0: as
 * they are), whether there is a network of its own, the command line. Perl, because the system calls need no further programs, and no file name is read by a shell.
 */
export const setUpScript: string = String.raw`use strict;
my ($plan, $filter, $base, $cwd, $processor, $uid, $gid, $ownNetwork) = splice @ARGV, 0, 8;
my %number = $processor eq 'x64'
  ? (mount => 165, umount => 166, pivot => 155, prctl => 157, capset => 126, unshare => 272, setsid => 112)
  : (mount => 40, umount => 39, pivot => 41, prctl => 167, capset => 91, unshare => 97, setsid => 157);
sub fail { print STDERR "$_[0]: $!\n"; exit 126 }
sub call { my ($name, @a) = @_; return syscall($number{$name}, @a) != -1 }
sub content { my ($file) = @_; local $/; open(my $f, '<:raw', $file) or fail("read $file"); return scalar <$f> }
sub put { my ($file, $text) = @_; open(my $f, '>', $file) or fail("open $file"); (syswrite($f, $text) // -1) == length $text or fail("write $file") }

my ($readOnly, $noSetId, $noDevices, $noPrograms, $remount, $bind, $all) = (1, 2, 4, 8, 32, 4096, 16384);
my %flag = (ro => 1, nosuid => 2, nodev => 4, noexec => 8, noatime => 1024, nodiratime => 2048, relatime => 1 << 21);
my %mounts;
for (split /\n/, content('/proc/self/mountinfo')) {
  my (undef, undef, undef, undef, $point, $options) = split / /;
  $point =~ s/\\([0-7]{3})/chr oct $1/ge;
  my $flags = 0;
  $flags |= $flag{$_} // 0 for split /,/, $options;
  $mounts{$point} = $flags;
}
sub below { my ($folder, $path) = @_; return $path eq $folder || index($path, $folder eq '/' ? '/' : "$folder/") == 0 }

my @steps = split /\0/, content($plan), -1;
pop @steps;
my $program = content($filter);
call('mount', 'tmpfs', $base, 'tmpfs', $noSetId | $noDevices, 'mode=755') or fail("mount a temporary file system");
chdir $base or fail("enter $base");
mkdir 'old'; mkdir 'new';
call('pivot', '.', 'old') or fail('pivot_root');
chdir '/';

sub ensureFolder {
  my ($path) = @_;
  return if -d $path;
  my ($parent) = $path =~ m{^(.*)/[^/]+$}s;
  ensureFolder($parent) if $parent ne '';
  mkdir $path or -d $path or fail("create $path");
}
sub ensure {
  my ($path, $isFolder) = @_;
  return if lstat $path;
  return ensureFolder($path) if $isFolder;
  my ($parent) = $path =~ m{^(.*)/[^/]+$}s;
  ensureFolder($parent);
  put($path, '');
}
sub bindMount {
  my ($from, $to) = @_;
  ensure("/new$to", -d "/old$from");
  call('mount', "/old$from", "/new$to", '', $bind | $all, 0) or fail("mount $to");
  restrict($from, $to, $to =~ m{^/dev/} ? 0 : $noDevices) if !$_[2];
}
# No set-user-id programs, no devices, as bubblewrap has it.
sub restrict {
  my ($from, $to, $more) = @_;
  my ($over) = sort { length $b <=> length $a } grep { below($_, $from) } keys %mounts;
  call('mount', '', "/new$to", '', $remount | $bind | $noSetId | $more | ($mounts{$over} // 0), 0) or fail("restrict $to");
  for my $point (grep { $_ ne $from && below($from, $_) } keys %mounts) {
    my $inside = "/new" . ($to eq '/' ? '' : $to) . substr($point, $from eq '/' ? 0 : length $from);
    next if call('mount', '', $inside, '', $remount | $bind | $noSetId | $more | $mounts{$point}, 0);
    # EINVAL, ENOENT, EACCES, ENOTDIR: another mount covers it, or the user cannot reach it.
    my $error = $! + 0;
    fail("restrict $inside") unless grep { $_ == $error } 2, 13, 20, 22;
  }
}

while (@steps) {
  my ($step, $to) = splice @steps, 0, 2;
  if ($step eq 'bind') { bindMount($to, shift @steps) }
  elsif ($step eq 'ro-bind') { my $from = $to; $to = shift @steps; bindMount($from, $to, 1); restrict($from, $to, $noDevices | $readOnly) }
  elsif ($step eq 'symlink') { symlink $to, '/new' . shift @steps or fail("link $to") }
  elsif ($step eq 'dir') { ensureFolder("/new$to") }
  elsif ($step eq 'tmpfs') { ensureFolder("/new$to"); call('mount', 'tmpfs', "/new$to", 'tmpfs', $noSetId | $noDevices, 'mode=755') or fail("mount $to") }
  elsif ($step eq 'remount-ro') { call('mount', '', "/new$to", '', $remount | $bind | $readOnly | $noSetId | $noDevices, 0) or fail("make $to read-only") }
  elsif ($step eq 'proc') { ensureFolder("/new$to"); call('mount', 'proc', "/new$to", 'proc', $noSetId | $noDevices | $noPrograms, 0) or fail("mount $to") }
  elsif ($step eq 'dev') {
    ensureFolder("/new$to");
    call('mount', 'tmpfs', "/new$to", 'tmpfs', $noSetId, 'mode=755') or fail("mount $to");
    bindMount("/dev/$_", "$to/$_") for qw(null zero full random urandom tty);
    mkdir "/new$to/pts"; mkdir "/new$to/shm";
    call('mount', 'devpts', "/new$to/pts", 'devpts', $noSetId | $noPrograms, 'newinstance,ptmxmode=0666,mode=620') or fail("mount $to/pts");
    symlink "/proc/self/fd/$$_[1]", "/new$to/$$_[0]" for ['stdin', 0], ['stdout', 1], ['stderr', 2];
    symlink '/proc/self/fd', "/new$to/fd";
    symlink 'pts/ptmx', "/new$to/ptmx";
  }
  else { fail("unknown step $step") }
}
call('umount', '/old', 2) or fail('leave the old root');
chdir '/new' or fail('enter the new root');
call('pivot', '.', '.') or fail('pivot_root');
call('umount', '.', 2) or fail('leave the old root');
chdir '/';

if ($ownNetwork) {
  socket(my $s, 2, 2, 0) or fail('socket');
  my $request = pack('a16 s x22', 'lo', 0x41);
  ioctl($s, 0x8914, $request) or fail('start the loopback interface');
}

my $child = fork // fail('fork');
if ($child) {
  $0 = 'parley-sandbox';
  $SIG{TERM} = sub { exit 143 };
  open(STDIN, '<', '/dev/null'); open(STDOUT, '>', '/dev/null'); open(STDERR, '>', '/dev/null');
  for (3, 4) { if (open(my $f, '<&=', $_)) { close $f } }
  for (;;) {
    my $ended = wait;
    exit 1 if $ended == -1 && $!{ECHILD};
    exit($? & 127 ? 128 + ($? & 127) : $? >> 8) if $ended == $child;
  }
}
call('setsid');
if ($uid) {
  call('unshare', 0x10000000) or fail('create a user namespace');
  put('/proc/self/setgroups', 'deny');
  put('/proc/self/uid_map', "$uid 0 1");
  put('/proc/self/gid_map', "$gid 0 1");
}
for my $capability (0 .. 63) { call('prctl', 24, $capability, 0, 0, 0) or last }
call('prctl', 47, 4, 0, 0, 0);
my ($header, $none) = (pack('LL', 0x20080522, 0), "\0" x 24);
call('capset', $header, $none) or fail('drop capabilities');
call('prctl', 38, 1, 0, 0, 0) or fail('no_new_privs');
my $filterProgram = pack('S x6 P', length($program) / 8, $program);
call('prctl', 22, 2, $filterProgram, 0, 0) or fail('install the filter of system calls');
chdir $cwd or fail("enter $cwd");
exec { $ARGV[0] } @ARGV or fail($ARGV[0]);
`;
