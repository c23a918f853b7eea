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

describe('an excluded command is found', () => {
  it.each([
    'touch x',
    'true; touch x',
    'true && touch x',
    'echo $(touch x)',
    '(touch x)',
    'false || touch x',
    "to''uch x",
    't""\\ouch x',
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

  it('git p""\\ush meets Bash(git push *)', async () => {
    expect(await decision('git p""\\ush', '--exclude Bash(git push *)', 'auto')).toBe('deny');
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

describe('always asks, even if a rule allows it', () => {
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
    'git checkout a.txt',
    'git checkout src/app.ts',
    'git fetch -pP',
    'git fetch --prune-tags',
    'git fetch origin +main:topic',
    'git fetch -f origin main:topic',
    'git fetch --force --tags',
    'git pull --force origin main:topic',
    'git update-ref refs/heads/topic HEAD',
    'git symbolic-ref -d HEAD',
    'git symbolic-ref refs/tags/mark refs/heads/other',
    "sh -c \"echo \\$'\\\\'; git reset --hard; echo '\"",
    '(cd src); rm -rf .git',
    '(cd src); rm -rf *',
    'cd absent; rm -rf *',
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
    'find . -name x -delete',
    'find . -exec rm {} +',
    'fd x -X rm',
    'rm -rf build',
    'rm -r -- build',
    'rm --recurs build',
    'rm *.ts',
    'cd sub && rm -rf *',
    'npx rimraf dist',
    'git rm -r src',
    'git rm -rf --cached .',
    "git rm '*.ts'",
    'git clean -n -f -e x',
    'rsync -a --delete a/ b/',
    'rsync -a --del a/ b/',
    'rsync -a --remove-source-files a/ b/',
    'zip -m a.zip b',
    'tar -cf a.tar --remove-files b',
    'docker system prune -af',
    'busybox rm -r src',
    'xargs rm < list',
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
    'git checkout v1.2.3',
    'git checkout feature/x',
    'git fetch -p --tags',
    'git fetch --force origin',
    'git fetch origin main:topic',
    'git pull --rebase origin main',
    'git symbolic-ref --short HEAD',
    'bash -c "[[ a == a ]] && echo $\'a\'"',
    'rm x',
    'rm x y/z',
    'cd sub && rm -f build',
    'git rm a.txt',
    'rmdir a b',
    'git restore --staged x',
    'rm /project/x',
  ])('%j does not', async (command) => {
    expect(await decision(command, '--allow Bash')).toBe('allow');
  });
});
