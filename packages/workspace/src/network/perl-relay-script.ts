/**
 * Starts an agent with variables that name a port, and a program that copies its connections when the first one arrives, for `perl -e`: a
 * start of Node costs more than the rest of a sandbox, and many commands connect to nothing. Arguments: names of variables for the URL, names for `NO_PROXY`, its value,
 * how many words the command line of the program has, these words, the command line of the agent. The descriptor of the port is added to the words.
 *
 * Input and output are the agent's own. Signals reach it by its process group: this process outlives them, to end as the agent ends.
 */
export const perlRelayScript: string = String.raw`use strict;
my ($urlNames, $noProxyNames, $noProxy, $words) = splice @ARGV, 0, 4;
my @copy = splice @ARGV, 0, $words;
my %names = (2 => 'ENOENT', 8 => 'ENOEXEC', 13 => 'EACCES');
sub fail { my ($what) = @_; my $error = $! + 0; print STDERR "parley: could not $what: ", $names{$error} // $!, "\n"; exit($error == 2 ? 127 : 126) }
sub quiet { open(STDIN, '<', '/dev/null'); open(STDOUT, '>', '/dev/null') }

$SIG{CHLD} = 'DEFAULT';
my $listening = 'listen for the proxy of the sandbox';
my $listener;
socket($listener, 2, 1, 0) && bind($listener, pack('S n C4 x8', 2, 0, 127, 0, 0, 1)) && listen($listener, 511) or fail($listening);
my (undef, $port) = unpack('S n', getsockname $listener);

my $copier = fork // fail($listening);
if (!$copier) {
  # Signals to the group of the agent do not end it.
  setpgrp(0, 0);
  quiet();
  my $waiting = '';
  vec($waiting, fileno $listener, 1) = 1;
  select($waiting, undef, undef, undef);
  $^F = 255;
  open(my $inherited, '<&', $listener) or fail($listening);
  exec { $copy[0] } @copy, fileno $inherited or fail($listening);
}

$ENV{NODE_USE_ENV_PROXY} = '1';
sub set { my ($names, $value) = @_; for (split /,/, $names) { delete $ENV{$_}; $ENV{$_} = $value if $value ne '' } }
set($urlNames, "http://127.0.0.1:$port");
set($noProxyNames, $noProxy);
my $agent = fork // fail('start "' . $ARGV[0] . '"');
if (!$agent) { close $listener; exec { $ARGV[0] } @ARGV or fail('start "' . $ARGV[0] . '"') }

$SIG{$_} = sub { } for qw(HUP INT QUIT TERM USR2);
close $listener;
quiet();
my $ended;
do { $ended = wait } until $ended == $agent;
my $status = $?;
kill 'KILL', $copier;
exit($status >> 8) unless my $signal = $status & 127;
$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM USR2);
# The first process of a PID namespace survives its own signals.
kill $signal, $$;
select(undef, undef, undef, 0.1);
exit(128 + $signal);
`;
