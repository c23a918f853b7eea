/** System call number of prctl. */
const PRCTL: Readonly<Record<string, number>> = { x64: 157, arm64: 167 };

/**
 * Starts a command and ends everything that it leaves behind, detached programs too: as a "child subreaper" it becomes the parent
 * of every orphan. It ends as its command ended. On SIGTERM it waits a second and then ends all by force; it gets one when gw ends.
 */
const PROGRAM = String.raw`
my ($prctl, @command) = @ARGV;
syscall($prctl, 36, 1, 0, 0, 0);
syscall($prctl, 1, 15, 0, 0, 0);
delete $ENV{PERL_BADLANG};
$SIG{TERM} = sub { alarm 1 };
$SIG{ALRM} = sub { kill 'KILL', children() };
my $child = fork;
exit 126 unless defined $child;
if ($child == 0) { $SIG{TERM} = $SIG{ALRM} = 'DEFAULT'; exec { $command[0] } @command; exit 127 }
sub children {
  my @found;
  for my $folder (glob '/proc/[0-9]*') {
    open my $file, '<', "$folder/stat" or next;
    my $line = <$file>;
    push @found, $1 if defined $line && $line =~ /^(\d+) \(.*\) \S (\d+) /s && $2 == $$;
  }
  return @found;
}
my $status;
while (!defined $status) {
  my $ended = waitpid -1, 0;
  $status = $? if $ended == $child;
  last if $ended == -1;
}
select undef, undef, undef, 0.2 if children();
while (my @left = children()) {
  kill 'KILL', @left;
  waitpid $_, 0 for @left;
}
if (my $signal = ($status // 0) & 127) { $SIG{TERM} = 'DEFAULT'; kill $signal, $$; select undef, undef, undef, 1 }
exit(($status // 0) >> 8);
`;

/** The words before a command that let nothing of it outlive it; null where this machine cannot. */
export function reaperWords(perl: string | null): readonly [string, ...string[]] | null {
  const prctl = process.platform === 'linux' ? PRCTL[process.arch] : undefined;
  return perl === null || prctl === undefined ? null : [perl, '-e', PROGRAM, String(prctl)];
}
