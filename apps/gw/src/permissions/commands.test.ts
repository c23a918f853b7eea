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
      expect(await decision(command, '', 'plan')).toBe('allow');
      expect(await decision(command, '--ask Bash', 'plan')).toBe('ask');
    },
  );
  it('leaves the rest to the sandbox', async () => {
    expect(await decision('touch x', '--allow Bash', 'plan', true)).toBe('allow');
    expect(await decision('touch x', '', 'plan', true)).toBe('ask');
    expect(await decision('ls > x', '--allow Bash', 'plan', true)).toBe('allow');
  });
});

describe('without a rule', () => {
  it.each([
    'node --version',
    'command -v node',
    'git stash list',
    'git worktree list',
    "cat <<'EOF'\n$SECRET\nEOF",
    'echo a; git stash show | head -3',
  ])('%j needs no question', async (command) => {
    expect(await decision(command, '')).toBe('allow');
  });
  it.each([
    'cat <<< "$SECRET"',
    'cat <<EOF\n$SECRET\nEOF',
    'echo ~/*',
    'echo /etc/*',
    'node --version x',
    'command node -e 1',
    'git stash',
    'git worktree add ../x',
    'find . -exec grep -l x {} +',
  ])('%j asks', async (command) => {
    expect(await decision(command, '')).toBe('ask');
  });
  it('a reading program that find starts may be allowed for good', async () => {
    expect(await decision('find . -exec grep -l x {} +', '--allow Bash')).toBe('allow');
    expect(await decision('find . -exec rm {} +', '--allow Bash')).toBe('ask');
  });
});
