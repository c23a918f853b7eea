import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../testing/folder.ts';
import { judge, rulesOf } from '../testing/rules.ts';

const ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Casey',
  GIT_AUTHOR_EMAIL: 'casey@example.org',
  GIT_COMMITTER_NAME: 'Casey',
  GIT_COMMITTER_EMAIL: 'casey@example.org',
};
function run(cwd: string, script: string): string {
  const options = {
    cwd,
    env: ENVIRONMENT,
    encoding: 'utf8' as const,
    stdio: ['ignore', 'pipe', 'ignore'] as ['ignore', 'pipe', 'ignore'],
  };
  return execFileSync('/bin/sh', ['-c', script], options);
}

/** A repository with a branch and a tag of its own, something put aside, and work that git does not know. */
function repository(): string {
  const root = temporaryFolder();
  run(
    root,
    `git init -q --bare -b main remote && git init -q -b main work && cd work && git remote add origin ../remote
echo 1 > a.txt; mkdir src; echo 1 > src/b.txt; git add . && git commit -qm one && git push -q origin main
git checkout -qb topic; echo 2 > a.txt; git commit -qam two; git push -q origin topic
git tag mark; git checkout -q main; echo aside > src/b.txt; git stash -q
echo 'not saved' > a.txt; echo 'not known' > new.txt`,
  );
  return root;
}

/** What the person could lose: by its name, what holds it. */
function kept(root: string): ReadonlyMap<string, string> {
  const work = join(root, 'work');
  const read = (name: string): string => (existsSync(join(work, name)) ? readFileSync(join(work, name), 'utf8') : '');
  const asked = run(
    work,
    `git log --format=%s --branches --tags; printf '\\1'; git stash list -p; git diff --cached; printf '\\1'
git rev-parse --verify -q mark; printf '\\1'; git ls-remote ../remote refs/heads/topic; printf '\\1'
git log --all --full-history --format=%s -- new.txt; true`,
  );
  const [commits = '', aside = '', tag = '', remote = '', known = ''] = asked.split('\x01');
  const holds = (text: string, what: string): string => (text.includes(what) ? 'kept' : '');
  return new Map([
    ['the change of a.txt', holds(read('a.txt') + aside, 'not saved')],
    ['new.txt', holds(read('new.txt'), 'not known') || known],
    ['commit two', holds(commits, 'two')],
    ['the tag', tag],
    ['what was put aside', holds(aside + read('src/b.txt'), 'aside')],
    ['topic at the remote', remote],
  ]);
}

const oneOf = (texts: string) => fc.constantFrom(...texts.trim().split(/\s{2,}/));
/** What each command takes of that which could lose something: one of the texts that two blanks divide. */
const COMMANDS: Readonly<Record<string, string>> = {
  push: `-f  -d  -fq  --force  --fo  --delete  --del  --mirror  --prune  --all  --force-with-lease  -u  -q  --  --no-verify
    --tags  origin  ../remote  main  topic  :topic  +topic  +main:topic  main:topic  topic~1:topic  HEAD:topic  mark:topic`,
  reset: '-q  --hard  --har  --soft  --merge  --keep  --mixed  -N  --no-refresh  HEAD  HEAD~1  topic  .  a.txt  --',
  clean: '-f  -d  -fd  -x  -n  -q  -fq  --force  --dry-run  -e  --exclude=x  .  new.txt  --',
  branch: '-d  -D  -M  -C  -f  -m  -c  -df  --delete  --force  --del  --move  -q  topic  main  other  topic~1  HEAD',
  tag: '-d  -f  --delete  --force  -fa  -m  x  mark  HEAD  other  topic~1',
  checkout:
    '-f  -q  -fq  -B  -b  -m  --force  --merge  --ours  --detach  --orphan  -p  --  a.txt  .  src  topic  main  HEAD  other',
  switch:
    '-f  -q  -C  -c  -m  --force  --discard-changes  --disc  --detach  --orphan  --force-create  --merge  topic  main  other  HEAD',
  restore: '-S  -W  -SW  --staged  --worktree  --work  -s  HEAD  --source=HEAD  -q  a.txt  .  src  --',
  stash:
    '-q  drop  clear  pop  apply  list  show  push  branch  other  stash@{0}  -u  -a  --all  --index  create  store',
  reflog: 'expire  delete  --expire=now  --all  stash@{0}  HEAD@{0}  show  --rewrite  -q',
  'update-ref': '-d  --stdin  -m  x  refs/heads/topic  refs/tags/mark  HEAD  HEAD~1  --no-deref',
  'checkout-index': '-f  -a  -fa  --force  -u  -q  --all  a.txt  --',
  'read-tree': '-u  -m  --reset  --res  -um  HEAD  topic  -i  -n  -v',
  rm: '-q  --cached  -r  -n  mark  src  src/b.txt',
  merge: '--abort  --quit  --ff-only  -q  -X  theirs  topic  main  -s  ours  --no-commit  --autostash',
  'symbolic-ref': '-d  --delete  HEAD  refs/heads/topic  refs/heads/other  refs/tags/mark  -q  -m  x',
  remote: 'remove  rm  prune  origin  set-url  add  other  ../remote  rename  show  update  -p',
  fetch:
    '-f  -p  -P  --prune  --force  -u  --tags  --prune-tags  origin  +main:topic  main:topic  main:main  ../remote  -q  +HEAD:refs/tags/mark',
  pull: '-f  --rebase  -q  --autostash  --ff-only  origin  +main:topic  main  topic  --force  main:topic',
  rebase: '-f  --abort  --quit  --autostash  -q  --root  --onto  main  topic  HEAD~1',
  'for-each-ref': '--format=%(refname)  refs/heads',
  bundle: 'create  x  --all',
  apply: '-R  --index  --reject  x.patch',
  'sparse-checkout': 'set  disable  src  --no-cone  init  --cone',
  submodule: 'deinit  -f  .  --all  update  --force',
  notes: 'remove  prune  add  -f  -m  x  HEAD',
};
const before = oneOf(`-C .  -c user.name=x  --no-pager  -P`);
const line = fc
  .constantFrom(...Object.keys(COMMANDS))
  .chain((name) =>
    fc
      .tuple(fc.option(before, { freq: 6 }), fc.array(oneOf(COMMANDS[name] ?? ''), { minLength: 0, maxLength: 4 }))
      .map(([first, rest]) => ['git', ...(first === null ? [] : [first]), name, ...rest].join(' ')),
  );

vi.setConfig({ testTimeout: 180_000 }); // hundreds of processes of git

it('no command of git that a rule for Bash allows loses what git cannot bring back', async () => {
  const origin = repository();
  const rules = rulesOf('--allow Bash');
  const project = temporaryFolder();
  cpSync(origin, project, { recursive: true });
  const work = join(project, 'work');
  let expected = kept(project);
  expect([...expected.values()]).not.toContain('');
  const lost: string[] = [];
  let allowed = 0;
  for (const one of new Set(fc.sample(line, 40))) {
    if ((await judge('Bash', one, rules, 'normal', work)).decision !== 'allow') continue;
    allowed += 1;
    try {
      run(work, one);
    } catch {
      continue; // git refused it
    }
    const now = kept(project);
    const gone = [...expected].flatMap(([name, value]) => (now.get(name) === value ? [] : [name]));
    if (gone.length > 0) lost.push(`${one}: ${gone.join(', ')}`);
    run(project, `rm -rf work remote && cp -R ${origin}/. .`);
    expected = kept(project);
  }
  expect(lost).toEqual([]);
  expect(allowed).toBeGreaterThan(8);
});
