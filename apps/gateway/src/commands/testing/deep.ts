import { execFileSync } from 'node:child_process';

const SCRIPT = 'my $n = "d" x 200; for (1 .. 30) { mkdir $n or die; chdir $n or die } open(F, ">file"); print F "x"';

/** Makes a file below a directory whose path exceeds the system's limit: a command can do so step by step. */
export function makeDeep(directory: string): void {
  execFileSync('perl', ['-e', SCRIPT], { cwd: directory });
}
