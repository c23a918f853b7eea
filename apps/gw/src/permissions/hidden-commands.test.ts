import { describe, expect, it } from 'vitest';
import { sessionApprovals } from './approvals.ts';
import { readAliases } from './bash/git-aliases.ts';
import { parseLine } from './bash/parse-line.ts';
import { approvalsOf } from './decide-command.ts';
import { judge, rulesOf } from './testing/rules.ts';

const decision = async (command: string, words: string, mode: 'normal' | 'auto' = 'normal'): Promise<string> =>
  (await judge('Bash', command, rulesOf(words), mode)).decision;

// client-8
describe('an excluded command is found where a program starts it', () => {
  it.each([
    // git: aliases, settings, variables, options and addresses that contain a command
    "git config alias.x '!touch y'; git x",
    "git config --global alias.x '!touch y'",
    "git config set alias.x '!touch y'",
    "git -calias.x='!touch x' x",
    'git --config-env=alias.x=V x',
    "git config core.editor 'touch x'",
    "git -c gpg.program='touch x' commit -S",
    "git -c diff.external='touch x' diff",
    "git -c merge.x.driver='touch x' merge y",
    'git -c include.path=x log',
    "git rebase -x'touch y' HEAD~1",
    "git difftool --extcmd='touch x'",
    "git difftool -x'touch x'",
    "git grep -O'touch x' y",
    'git clone -u touch . y',
    "git clone 'ext::touch x'",
    "git filter-branch --tree-filter 'touch x'",
    // git: shorter spellings of options, letters in one word, words that are not known
    "git fetch --upload-p='touch x' .",
    "git archive --exe='touch x' --remote=. HEAD",
    "git rebase -ix 'touch y' HEAD",
    "git rebase -ix'touch y' HEAD",
    'git clone -lu touch . y',
    'git difftool -yx touch',
    "git grep -nO'touch x' y",
    "git clone -c core.sshCommand='touch x' ssh://h/y",
    "git clone --config=core.fsmonitor='touch x' . y",
    "git daemon --access-hook='touch x'",
    'git send-email --smtp-server=/usr/bin/touch f',
    'git merge-index /usr/bin/touch -a',
    'git bisect "${X:-run}" touch x',
    'x=\'-xtouch y\'; git rebase "$x"',
    'x=\'--receive-pack=touch y\'; git push . "$x"',
    // variables
    "GIT_SSH_COMMAND='touch x' git fetch",
    "PAGER='touch x' git -p log",
    'BASH_ENV=<(echo touch x) bash -c :',
    'ENV=f sh -c :',
    // options
    "sort --compress-program='touch x' y",
    'tar cf a b --checkpoint=1 --checkpoint-action=exec=touch',
    'ssh -o ProxyCommand=touch h',
    "sed '1etouch x' y",
    'rg --pre=touch x y',
    'make SHELL=touch',
    "less '+!touch x' f",
    "rsync -ave'touch x' a h:b",
    'man -Ptouch ls',
    "sed '1!etouch x' f",
    // what Bash evaluates although it is quoted
    "printf -v 'a[$(touch x)]' y",
    "test -v 'a[$(touch x)]'",
    "[[ 'a[$(touch x)]' -eq 0 ]]",
    "read 'a[$(touch x)]' <<< y",
    "read y <<< 'a[$(touch p)]'; x=abc; echo ${x:y}",
    'echo "${x:-`touch y`}"',
    // programs that read commands from their input
    "make -f - <<'E'\nall:\n\ttouch x\nE",
    "python3 - <<'E'\nimport os; os.system('touch x')\nE",
    "perl <<'E'\nsystem 'touch x'\nE",
    "echo 'touch x' | python3",
    "source /dev/stdin <<< 'touch x'",
    "at now <<< 'touch x'",
    "crontab - <<< '* * * * * touch x'",
    // a file that the line writes, another name for the program
    "echo 'touch x' > f; sh f",
    "cat > ./f <<'E'\ntouch x\nE\nchmod +x f; ./f",
    'ln -s /usr/bin/touch t; ./t x',
    'cp /usr/bin/touch t && ./t x',
    'ln -s $(which touch) t; ./t x',
    'cp /usr/bin/tou?h t; PATH=.; t x',
    'cp "$X" "$Y/t" && ~/t x',
    "tee t <<< 'touch x'; sh t",
    "echo 'touch x' > ls; ./ls",
  ])('%j', async (command) => {
    expect(await decision(command, '--exclude Bash(touch *)', 'auto')).toBe('deny');
  });

  it.each([
    'git commit -m "touch x; git push"',
    'git log --grep "touch x"',
    'git grep "touch x"',
    'git push -u origin touch',
    'git fetch origin -- "$x"',
    'git clone -bmaster-u . y',
    'git clone -c user.name=touch . y',
    'git rebase -Xours touch',
    'git grep -eO touch',
    'git commit -m "$x"',
    'cp "$x" y && ls',
    'cp -r "$x" out/ && ./build.sh',
    'npm test | tee log; grep touched log',
    'git clone https://example.org/touch.git',
    'git -c user.name=me -c core.autocrlf=false commit -m x',
    'git config user.name touch',
    'git config --get alias.x',
    "python3 - <<'E'\nprint(1)\nE",
    'node src/touch/index.js',
    'tar --exclude=node_modules -xzf a.tgz',
    'NODE_ENV=test npm test',
    'npm test > out.txt; grep touched out.txt',
    'bash -eo pipefail -c "ls"',
    'cat "a[$x]"',
  ])('%j is another', async (command) => {
    expect(await decision(command, '--exclude Bash(touch *)', 'auto')).toBe('allow');
  });

  it.each(['npm install git@github.com:a/b', 'git clone git@github.com:a/b', 'echo "git push" > notes.txt'])(
    '%j is no push',
    async (command) => {
      expect(await decision(command, '--exclude Bash(git push *)', 'auto')).toBe('allow');
    },
  );
});

describe('what always asks is found behind options of the program that starts it', () => {
  it.each([
    "trap -- 'git reset --hard' EXIT",
    'eval -- git reset --hard',
    "bash -O extglob -c 'git reset --hard'",
    "bash -eo pipefail -c 'git reset --hard'",
    "bash -ceo pipefail 'git reset --hard'",
    'exec -la x git reset --hard',
    'timeout --signal KILL 5 git reset --hard',
    'env --unset X git reset --hard',
    'mywrapper git reset --hard',
    "git config alias.x 'push --force'",
    'sudo -nu me rm /etc/x',
    'xargs -0n 1 rm /etc/x',
    'ls | xargs -i rm {}',
    'docker run x rm -rf /y',
    // other directories
    'env -C / rm -rf tmp',
    'env --chdir=/ rm -rf tmp',
    "find /home -execdir rm -rf x ';'",
    'cd -- / && rm -rf tmp',
    'pushd / && rm -rf tmp',
    'CDPATH=/; cd etc; rm -rf x',
    'find -L /tmp -delete',
    'find . -delete',
    'rm -- -d/../../x',
    'rm -rf *',
    'rm -rf .git',
    // options of git
    'git reset --h',
    'git clean -fd -en',
    'git clean -f --dry-run --no-dry-run',
    'git checkout HEAD~1 a.ts',
    'git checkout-index -fa',
    'git read-tree -u --reset HEAD',
    "git update-ref --stdin <<< 'delete refs/heads/x'",
  ])('%j', async (command) => {
    expect(await decision(command, '--allow Bash')).toBe('ask');
    expect(await decision(command, '--allow Bash', 'auto')).toBe('ask');
  });

  it.each([
    'git checkout -b topic origin/main',
    'docker rm -f box',
    'rm -f build -- dist',
    'cd -P sub && rm x',
    'echo git reset --hard',
    'git commit -m "git reset --hard"',
    'timeout -k 5 10 npm test',
  ])('%j does not', async (command) => {
    expect(await decision(command, '--allow Bash')).toBe('allow');
  });
});

describe('aliases of git count as their expansion', () => {
  const aliases = new Map([
    ['p', 'push'],
    ['pf', 'p --force'],
    ['st', 'status --short'],
    ['run', '!touch'],
  ]);
  const judged = async (command: string, words: string, mode: 'normal' | 'auto'): Promise<string> =>
    (await judge('Bash', command, rulesOf(words), mode, '/project', sessionApprovals(), false, aliases)).decision;

  it.each([
    ['git p origin', '--exclude Bash(git push *)', 'auto', 'deny'],
    ['git -C . P origin', '--exclude Bash(git push *)', 'auto', 'deny'],
    ['git run x', '--exclude Bash(touch *)', 'auto', 'deny'],
    ['git st', '--exclude Bash(touch *)', 'auto', 'allow'],
    ['git pf', '--allow Bash', 'normal', 'ask'],
    ['git pf', '--allow Bash', 'auto', 'ask'],
    ['git p', '--allow Bash', 'normal', 'allow'],
    ['git st', '--allow Bash(git st) --allow Bash(git status *)', 'normal', 'allow'],
    ['git run x', '--allow Bash(git *)', 'normal', 'ask'],
  ] as const)('%s with %s in %s mode: %s', async (command, words, mode, expected) => {
    expect(await judged(command, words, mode)).toBe(expected);
  });

  it('are read as git prints them', () => {
    expect(readAliases('alias.st\nstatus\0alias.Two\n!a\nb\0')).toEqual(
      new Map([
        ['st', 'status'],
        ['two', '!a\nb'],
      ]),
    );
  });
});

it('an approval of a program with its input approves no other input', async () => {
  const keys = async (text: string): Promise<readonly string[]> => approvalsOf(await parseLine(text));
  const [first, second] = [await keys("python3 - <<'E'\nprint(1)\nE"), await keys("python3 - <<'E'\nprint(2)\nE")];
  expect(first).not.toEqual(second);
  expect(await keys("cat <<< 'a'")).not.toEqual(await keys("cat <<< 'b'"));
});
