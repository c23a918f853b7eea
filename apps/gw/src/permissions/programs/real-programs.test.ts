import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { judge, rulesOf } from '../testing/rules.ts';

/** One of the texts that two blanks divide. */
const oneOf = (texts: string) => fc.constantFrom(...texts.trim().split(/\s{2,}/));
/** What each program takes, harmless and not: whatever is not harmless leaves a file `pwned`, or changes one. */
const WORDS: Readonly<Record<string, string>> = {
  sort: `-r  -u  -n  -o pwned  -opwned  -uo pwned  -ruopwned  --output=pwned  --output pwned  --outp=pwned  -k 1  -k1o  -t ,  -to  --  -S 1
    --compress-program=./run.sh  --comp ./run.sh  a.txt  b.txt  -  --key=1  -T .  "$o" pwned  *.txt  --debug  -c`,
  uniq: '-c  -d  -u  -f 1  -f1  a.txt  pwned  -  --  --count  --skip-fields=1  -w 3  -cf1',
  sed: `-n  -e p  -e 'w pwned'  -ne 'w pwned'  -n 'w pwned'  's/a/b/w pwned'  's/a/b/'  '1e touch pwned'  's/.*/touch pwned/e'  -i  -i.bak  -ni
    -nf prog.sed  -f prog.sed  --file=prog.sed  --fil prog.sed  --in-place  -s  a.txt  '$!N;w pwned'  'p;w pwned'  ':a w pwned'  ':a;w pwned'
    'y/w/p/;w pwned'  '/a/w pwned'  '/[/]/w pwned'  's;a;w pwned;'  's/[/]w pwned/x/'  's/a\\/b/w pwned/w pwned'  '{p;w pwned'  '}'  'b x;w pwned'
    'a w pwned'  'i\\'  '\\,a,w pwned'  '1,2W pwned'  '$w pwned'  -E  --expression='w pwned'  --expr='w pwned'  -z  --posix  q  2q  'r a.txt'  '#w pwned'
    's/a/b/gw pwned'  's/a/b/;#w'  --  -`,
  awk: `-F:  -F :  -v x=1  -f prog.awk  -fprog.awk  --file=prog.awk  '{ print > "pwned" }'  '{print}'  '{print $1}'  'BEGIN { system("touch pwned") }'
    '{ print | "tee pwned" }'  '/>/ {print}'  '$1 > 5'  '{ printf "x" >> "pwned" }'  'BEGIN { "touch pwned" | getline }'  a.txt  --  x=1
    'BEGIN { printf("%s","x") > "pwned" }'  '/a|b/'  'BEGIN{f="pwned"} {print>f}'`,
  find: `.  sub  -name a.txt  -name '*.txt'  -type f  -print  -fprint pwned  -fprint0 pwned  -fprintf pwned %p  -fls pwned  -exec touch pwned ';'  -ok touch pwned ';'
    -execdir touch ../pwned ';'  -delete  -o  -not  '('  ')'  -maxdepth 1  -H  -newer a.txt  -printf '%p'  -exec cat {} +  -quit  -empty`,
  'git log':
    '-1  -p  --oneline  --output=pwned  --output pwned  --outp=pwned  --out pwned  --stat  -n 1  -n1  -O./run.sh  --format=%s  --  a.txt  HEAD  --all  -S alpha  --no-ext-diff',
  'git diff':
    '--output=pwned  --output pwned  --outpu=pwned  --stat  HEAD  --cached  --  a.txt  --name-only  --no-index a.txt b.txt  -U1  -w  --ext-diff',
  'git show': '-s  --output=pwned  --format=x  --outp pwned  HEAD  HEAD:a.txt  --name-only  --stat  --  a.txt',
  'git grep':
    '-n  -O./run.sh  -nO./run.sh  --open-files-in-pager=./run.sh  --open=./run.sh  --open ./run.sh  -i  alpha  a  -e alpha  -l  --  a.txt  -c  -A1',
  git: "log  status  branch  -C sub  --output=pwned  -a  -c core.pager=./run.sh  -p  config  user.name  pwned  --list  -l  -c alias.x='!touch pwned'  x  show  HEAD",
  tar: `-tf x.tar  tf x.tar  -cf pwned a.txt  cf pwned a.txt  -f x.tar  -t  -c  -x  xf x.tar  -v  -I ./run.sh  -tI./run.sh  --use-compress-program=./run.sh  --to-command=./run.sh
    --checkpoint=1  --checkpoint-action=exec=./run.sh  --checkpoint-a=exec=./run.sh  -C sub  a.txt  --list  --file=x.tar  -O  --index-file=pwned  --index-f pwned`,
  xxd: 'a.txt  pwned  -l 4  -c 8  -r  -p  -s 1',
  tree: '-a  -o pwned  -L 1  sub  -opwned',
  diff: 'a.txt  b.txt  -u  -q  -U 1  --to-file=a.txt  -y',
  head: '-n 1  -n1  a.txt  -c 3  b.txt  *.txt  -q  "$o" pwned',
  timeout: '5  -k 1  cat a.txt  touch pwned  -s KILL  sort -o pwned a.txt  --foreground',
  env: 'A=b  -i  cat a.txt  touch pwned  -S "touch pwned"  -u A',
  xargs: "-n 1  cat  touch pwned  -I{}  sh -c 'touch pwned'  -0  -a a.txt  -r  echo",
  split: "-l 1  a.txt  --filter='touch pwned'  --filt='touch pwned'",
  shuf: '-n 1  a.txt  -o pwned  --output=pwned  --outp pwned  -e a',
};
const line = fc
  .constantFrom(...Object.keys(WORDS))
  .chain((program) =>
    fc.array(oneOf(WORDS[program] ?? ''), { minLength: 1, maxLength: 5 }).map((words) => ({ program, words })),
  );

function project(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'sub'));
  const files = {
    'a.txt': 'alpha\nbeta\n',
    'b.txt': 'beta\n',
    'sub/c.txt': 'c\n',
    'run.sh': '#!/bin/sh\ntouch pwned\n',
    'prog.sed': 'w pwned\n',
    'prog.awk': 'BEGIN { system("touch pwned") }\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chmodSync(join(folder, 'run.sh'), 0o755);
  const script =
    'git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -qm one && tar -cf x.tar a.txt sub';
  execFileSync('/bin/bash', ['-c', script], { cwd: folder, env: { PATH: '/usr/bin:/bin', HOME: folder } });
  return folder;
}

it('whatever a wildcard covers writes nothing and starts nothing, in any order of options', async () => {
  const folder = project();
  const lines = fc.sample(line, 900).map(({ program, words }) => ({ program, text: `${program} ${words.join(' ')}` }));
  const allowed: string[] = [];
  for (const { program, text } of lines) {
    const { decision } = await judge('Bash', text, rulesOf(`--allow Bash(${program} *)`), 'normal', folder);
    // `split` writes its parts, which is its purpose.
    if (decision === 'allow') allowed.push(text);
  }
  const state =
    "git branch --list; git tag; cat .git/config; find . -path ./.git -prune -o -type f ! -name 'xa*' ! -name '*.txta?' -exec cksum {} +";
  const script = `o=-o; export PAGER=cat GIT_PAGER=cat; state() { ${state}; }; before=$(state)
    for line; do (eval "$line") > /dev/null 2>&1 < /dev/null; [ -e pwned ] && { echo "$line"; rm -rf pwned; }; done
    diff <(echo "$before") <(state)`;
  const changed = execFileSync('/bin/bash', ['-c', `${script}; true`, 'bash', ...new Set(allowed)], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin', HOME: folder },
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(changed).toBe('');
  expect(allowed.length).toBeGreaterThan(100);
}, 120_000);
