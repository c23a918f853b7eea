import { describe, expect, it } from 'vitest';
import { sessionApprovals } from './approvals.ts';
import { judge, rulesOf } from './testing/rules.ts';

const decision = async (
  command: string,
  words: string,
  mode: 'normal' | 'plan' | 'auto' = 'normal',
  sandbox = false,
): Promise<string> =>
  (await judge('Bash', command, rulesOf(words), mode, '/project', sessionApprovals(), sandbox)).decision;

describe('a rule for commands allows', () => {
  it.each([
    ['git status', '--allow Bash(git status)'],
    ['npm run test', '--allow Bash(npm run *)'],
    ['npm run test -- --watch', '--allow Bash(npm run *)'],
    ['echo one && echo two | cat', '--allow Bash(echo *) --allow Bash(cat)'],
    ["echo 'a; b && c | d > e'", '--allow Bash(echo *)'],
    ['echo "$HOME" > /dev/null 2>&1', '--allow Bash(echo *)'],
    ['echo $(git status)', '--allow Bash(echo *) --allow Bash(git status)'],
    ['timeout 5 npm run test', '--allow Bash(npm run *)'],
    ['nice -n 5 nohup npm run test', '--allow Bash(npm run *)'],
    ['if git status; then echo yes; fi', '--allow Bash(echo *) --allow Bash(git status)'],
    ['for f in a b; do echo "$f"; done', '--allow Bash(echo *)'],
    ['x=1; echo $x', '--allow Bash(echo *)'],
    ['echo x > src/out.txt', '--allow Bash(echo *) --allow Write(src/**)'],
    ['echo x > out.txt', '--allow Bash'],
    ['cat <<EOF\nhello\nEOF', '--allow Bash(cat)'],
    ["git commit -m 'a message'", '--allow Bash(git commit *)'],
    ['find . -name "*.ts"', '--allow Bash(find *)'],
    ['git status # what is there', '--allow Bash(git status)'],
    // client-8
  ])('%s with %s', async (command, words) => {
    expect(await decision(command, words)).toBe('allow');
  });
});

describe('a rule for commands does not allow', () => {
  it.each([
    'touch x',
    'git stash',
    'git status; touch x',
    'git status && touch x',
    'git status | tee x',
    'git status & touch x',
    'git status\ntouch x',
    '(git status; touch x)',
    '{ git status; touch x; }',
    'if git status; then touch x; fi',

    'PATH=. git status',
    'PATH=.; git status',
    'export PATH=.; git status',
    'git() { touch x; }; git status',
    './git status',
    'alias git=touch; git status',

    'git status > x',
    'git status 2> x',
    'git status &> x',
    'git status <<EOF\n$(touch x)\nEOF',
    'git status < /etc/passwd',

    '$X status',
    'git $X',
    'env git status',
    'sh -c "git status"',
    'eval git status',
    '"$(echo git)" status',
    'time -o x git status',
    './timeout 5 git status',

    'for PATH in .; do git status; done',
    'git status --porcelain',
    'git\u00a0status',
    'git status\r',
    'trap "touch x" EXIT; git status',
    '! touch x',
    'coproc git status',
  ])('%j with Bash(git status)', async (command) => {
    expect(await decision(command, '--allow Bash(git status)')).toBe('ask');
  });

  it.each([
    'echo $(touch x)',
    'echo `touch x`',
    'echo "$(touch x)"',
    'echo <(touch x)',
    'echo "a ${x:-$(touch x)}"',
    'echo $((1 + $(touch x; echo 1)))',

    'echo "x',
    "echo 'x; touch x",
    'echo $(echo x',
    'echo x > y',
    'echo x >> y',
    'echo x >| y',
    'echo x 2> y',
    'echo x <> y',
    'echo x >& y',
    'echo',

    "x='a[$(touch p)]'; echo $((x))",
    "x='$(touch p)'; echo ${x@P}",
    'echo ${!x}',
    'echo ${x:=1}',
    'echo x > /dev/tcp/host/80',
    'echo x > "$y"',
    'echo x | sh',

    'echo x\ntouch x',
    'echo <<EOF\nx\nEOF\ntouch x',
    'echo x &\ntouch x',
    'echo x |& touch x',
    'echo a; > y',
    'while echo x; do touch x; done',

    'case x in x) touch x;; esac',
    'echo x; function f { touch x; }; f',
    '[[ -v a[$(touch x)] ]] && echo x',
    'echo x <<<$(touch x)',
    'echo a[$(touch x)]',
  ])('%j with Bash(echo *)', async (command) => {
    expect(await decision(command, '--allow Bash(echo *)')).toBe('ask');
  });

  it.each([
    ['find . -exec touch x ;', '--allow Bash(find *)'],
    ["find . -exec touch '{}' +", '--allow Bash(find *)'],
    ['find . $X', '--allow Bash(find *)'],
    ['ls | xargs touch', '--allow Bash(xargs *) --allow Bash(ls)'],
    ['env touch x', '--allow Bash(env *)'],
    ['sh -c "touch x"', '--allow Bash(sh *)'],
    ['sh script', '--allow Bash(bash *)'],
    ['npm runner', '--allow Bash(npm run *)'],
    ['npm install', '--allow Bash(npm run *)'],
    ['xnpm run test', '--allow Bash(npm run *)'],
    ['git -c alias.x="!touch y" x', '--allow Bash(git *)'],
    ['git bisect run touch x', '--allow Bash(git *)'],
  ])('%s with %s', async (command, words) => {
    expect(await decision(command, words)).toBe('ask');
  });
});

describe('an excluded command is found', () => {
  it.each([
    'touch x',
    'true; touch x',
    'true && touch x',
    'echo $(touch x)',
    '(touch x)',
    'false || touch x',
    "to''uch x",
    'touch   x',
    '"touch" x',
    't\\ouch x',

    '/usr/bin/touch x',
    '\\touch x',
    "$'touch' x",
    "$'\\x74ouch' x",
    'to\\\nuch x',
    'TOUCH x',
    'touch',
    'touch "$x"',
    '$X x',
    'X=touch; $X x',
    '"$(echo touch)" x',
    'to$Y x',
    '{touch,x}',
    '/usr/bin/tou?h x',

    'env touch x',
    'env -i A=b touch x',
    'env -S "touch x"',
    'command touch x',
    'exec touch x',
    'nohup touch x',
    'timeout 5 touch x',
    'sudo -u me touch x',
    'nice -n 3 touch x',
    'busybox touch x',
    'xargs touch < y',
    'ls | xargs -I{} touch {}',
    'ls | xargs -n 1 touch',

    'find . -exec touch x ;',
    'find . -execdir touch x +',
    'sh -c "touch x"',
    'bash -lc "touch x"',
    'sh -c "sh -c \'touch x\'"',
    'eval touch x',
    'eval "touch x"',
    'eval "$X"',
    'echo touch x | sh',
    'sh <<EOF\ntouch x\nEOF',
    'bash <<< "touch x"',
    'trap "touch x" EXIT',

    'alias t="touch x"; t',
    't() { touch x; }; t',
    'if true; then touch x; fi',
    'for i in 1; do touch x; done',
    'case x in x) touch x;; esac',
    'cat <<EOF\n$(touch x)\nEOF',
    'echo `touch x`',
    'echo <(touch x)',
    'echo ${y:-$(touch x)}',
    'A=$(touch x)',
    'true &\ntouch x',
    '! touch x',

    'git -c alias.x="!touch y" x',
    'strace touch x',
    'some-wrapper touch x',
    'python3 -c "import os; os.system(\'touch x\')"',
    'awk \'BEGIN { system("touch x") }\'',
    'source <(echo touch x)',
    'bash <(echo touch x)',
    'echo "touch x',
    'coproc touch x',
    'time touch x',
    'parallel touch ::: x',
    'mapfile -C touch x',

    "x='a[$(touch p)]'; echo $((x))",
    "x='$(touch p)'; echo ${x@P}",
    'git bisect run touch x',
    'watch "touch x"',
    'git submodule foreach "touch x"',
    'hash -p /bin/touch t; t x',
    'touch x > /dev/null',
    '> y touch x',
    'A=b touch x',
    'git status\rtouch x',
  ])('%j', async (command) => {
    expect(await decision(command, '--exclude Bash(touch *)', 'auto')).toBe('deny');
  });

  it.each([
    'echo touch x',
    'git commit -m "touch x"',
    'ls touch',
    'npm test',
    'grep -r touch .',
    'rm x',
    'FOO=1 npm run touch-all',
  ])('%j is another', async (command) => {
    expect(await decision(command, '--exclude Bash(touch *)', 'auto')).toBe('allow');
  });

  it.each([
    'git push',
    'git push origin main',
    'git -C . push',
    'git -c a=b --no-pager push origin',
    'git --git-dir=.git push',
    'git $X origin',
    'git push --dry-run',
  ])('%j meets Bash(git push *)', async (command) => {
    expect(await decision(command, '--exclude Bash(git push *)', 'auto')).toBe('deny');
  });

  it.each(['rm -rf x', 'rm -fr x', 'rm -r -f x', 'rm x -rf', 'rm -rfv x'])(
    '%j meets Bash(rm -rf *)',
    async (command) => {
      expect(await decision(command, '--exclude Bash(rm -rf *)', 'auto')).toBe('deny');
    },
  );

  it('in a file that a redirection writes', async () => {
    expect(await decision('echo x > secret.txt', '--exclude Write(secret.txt)', 'auto')).toBe('deny');
    expect(await decision('echo x > other.txt', '--exclude Write(secret.txt)', 'auto')).toBe('allow');
    expect(await decision('echo x > y', '--exclude Write --allow Bash', 'auto')).toBe('deny');
  });
});

describe('always asks, whatever allows it', () => {
  it.each([
    'git push --force',
    'git push -f origin main',
    'git push origin +main',
    'git push origin :main',
    'git push --force-with-lease',
    'git push --delete origin x',
    'git push --forc',

    'git reset --hard',
    'git reset --hard HEAD~1',
    'git clean -fd',
    'git branch -D x',
    'git branch -d x',
    'git checkout -- .',
    'git checkout .',
    'git restore .',
    'git stash drop',
    'git -C sub reset --hard',
    'true; git clean -f',
    'sh -c "git reset --hard"',

    'rm -rf /etc/x',
    'rm ../x',
    'rm -rf ~',
    'rm $X',
    'rm -rf .',
    'cd / && rm -rf tmp',
    'find /tmp -delete',
    'ls | xargs rm',
    'rm a/../../x',
    'cd $X; rm y',
    'git push $X',
    'sudo rm /etc/x',
    'git $X',
    'eval "$X git reset --hard"',
  ])('%j', async (command) => {
    expect(await decision(command, '--allow Bash')).toBe('ask');
    expect(await decision(command, '--allow Bash', 'auto')).toBe('ask');
  });

  it.each([
    'git push',
    'git reset HEAD x',
    'git clean -n',
    'git branch x',
    'git checkout main',
    'rm x',
    'rm -rf build dist',
    'cd sub && rm -rf build',
    'git restore --staged x',
    'rm /project/x',
    'find . -name x -delete',
  ])('%j does not', async (command) => {
    expect(await decision(command, '--allow Bash')).toBe('allow');
  });
});

describe('plan mode', () => {
  it.each([
    'touch x',
    'ls > x',
    'sort -o x y',
    'git commit',
    'find . -delete',
    './ls',
    'git diff --output=x',
    'ls; touch x',
    'node -e 1',
    '$X',
    'LD_PRELOAD=x ls',
  ])('denies %j where there is no sandbox', async (command) => {
    expect(await decision(command, '--allow Bash', 'plan')).toBe('deny');
  });
  it.each(['ls -l', 'git status', 'git log --oneline | head -3', 'cat a | grep b', 'find . -name x'])(
    'runs %j where it is allowed',
    async (command) => {
      expect(await decision(command, '--allow Bash', 'plan')).toBe('allow');
      expect(await decision(command, '', 'plan')).toBe('ask');
    },
  );
  it('leaves the rest to the sandbox', async () => {
    expect(await decision('touch x', '--allow Bash', 'plan', true)).toBe('allow');
    expect(await decision('touch x', '', 'plan', true)).toBe('ask');
    expect(await decision('ls > x', '--allow Bash', 'plan', true)).toBe('allow');
  });
});
