import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World } from '../testing/world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const HOME = 'home/casey/.gateway';
const PROJECT = 'work/shop/.gateway';

describe('agents and instructions', () => {
  const AGENT = '---\nname: reviewer\nmodel: coder\n---\nRead the change.\n';

  it('are those of the project, then of home', async () => {
    world.write(`${PROJECT}/config.yaml`, "models: [{name: Coder, endpoint: 'https://h'}]\n");
    world.write(`${PROJECT}/agents/reviewer.md`, AGENT);
    world.write(`${HOME}/agents/mine.md`, AGENT);
    world.write(`${HOME}/agents/other.md`, AGENT.replace('reviewer', 'other'));
    world.write(`${HOME}/agents/notes.txt`, 'no agent');
    const { agents, findings } = await world.report();
    expect(findings).toEqual([]);
    expect(agents).toEqual([
      { file: `${world.project}/.gateway/agents/reviewer.md`, name: 'reviewer', model: 'coder', hidden: false },
      { file: '~/.gateway/agents/mine.md', name: 'reviewer', model: 'coder', hidden: true },
      { file: '~/.gateway/agents/other.md', name: 'other', model: 'coder', hidden: false },
    ]);
    const { out } = await world.gw(['diagnose', '--output', '-']);
    expect(out).toMatch(/^reviewer +~\/\.gateway\/agents\/mine\.md, model coder, hidden by one of the project$/m);
  });

  it('that are not sound are findings, and do not hide the others', async () => {
    world.write(`${PROJECT}/agents/a.md`, 'Read.\n');
    world.write(`${PROJECT}/agents/b.md`, AGENT);
    world.write(`${PROJECT}/agents/c.md`, AGENT);
    symlinkSync('d.md', join(world.root, PROJECT, 'agents', 'd.md'));
    mkdirSync(join(world.root, PROJECT, 'agents', 'e.md'));
    const { agents, findings } = await world.report();
    expect(agents.map(({ name }) => name)).toEqual([null, 'reviewer', 'reviewer', null]);
    expect(findings.map(({ what }) => what)).toEqual([
      'It has no front matter.',
      'Two agents of one directory have the same name.',
      'The file cannot be read: link loop.',
    ]);
  });

  it('that ask for a model nobody has', async () => {
    world.write(`${HOME}/agents/a.md`, AGENT);
    expect(await world.whats()).toEqual([]); // without a configuration nobody knows
    world.write(`${HOME}/config.yaml`, "models: [{name: Other, model: x/y, endpoint: 'https://h'}]\n");
    expect(await world.whats()).toEqual(['The agent asks for the model coder, which no configuration has.']);
    world.write(`${HOME}/agents/a.md`, AGENT.replace('coder', 'X/Y'));
    expect(await world.whats()).toEqual([]);
  });

  it('are read from AGENTS.md, and CLAUDE.md where there is no other, and the rules at any depth', async () => {
    world.write('work/shop/CLAUDE.md', 'text');
    world.write(`${PROJECT}/rules/style.md`, 'größe');
    world.write(`${PROJECT}/rules/web/deep/forms.md`, 'text');
    world.write(`${PROJECT}/rules/web/picture.png`, 'text');
    const used = async (): Promise<unknown> =>
      (await world.report()).instructions.map(({ file, bytes, used }) => [
        file.slice(world.project.length + 1),
        bytes,
        used,
      ]);
    const rules = [
      ['.gateway/rules/style.md', 7, true],
      ['.gateway/rules/web/deep/forms.md', 4, true],
    ];
    expect(await used()).toEqual([['CLAUDE.md', 4, true], ...rules]);
    world.write('work/shop/AGENTS.md', '');
    expect(await used()).toEqual([['AGENTS.md', 0, true], ['CLAUDE.md', 4, false], ...rules]);
    expect((await world.gw(['diagnose', '--output', '-'])).out).toContain(
      'CLAUDE.md: 4 bytes, not used, for there is an AGENTS.md\n',
    );
  });

  it('may point out of the project, loop, be nested too deep, or be writable by all', async () => {
    world.write('home/casey/.ssh/id', 'a secret of mine');
    symlinkSync('../../home/casey/.ssh/id', join(world.project, 'AGENTS.md'));
    world.write(`${PROJECT}/rules/1/2/3/4/5/6/7/8/deep.md`, 'text');
    symlinkSync('/', join(world.root, PROJECT, 'rules', 'root.md'));
    symlinkSync('..', join(world.root, PROJECT, 'rules', 'up'));
    chmodSync(world.write(`${PROJECT}/rules/open.md`, 'text'), 0o666);
    const { findings, instructions } = await world.report();
    expect(findings.map(({ what, where }) => `${what} ${where.slice(world.project.length + 1)}`)).toEqual([
      'A link points out of the project. It was not followed. AGENTS.md',
      'Others can change the instructions of your agents. .gateway/rules/open.md',
      'A link points out of the project. It was not followed. .gateway/rules/root.md',
      'Rules are nested too deep to be read. .gateway/rules/1/2/3/4/5/6/7/8',
    ]);
    expect(instructions.map(({ bytes }) => bytes)).toEqual([null, 4, null]);
  });

  it('that contain a secret would have every call refused', async () => {
    const token = ['ghp', 'R7mQx2Lk9TfWb4ZsVn6YcJd8HgPa3EuN5t1K'].join('_');
    world.write('work/shop/AGENTS.md', `Use this:\n  ${token}, twice: ${token}\n`);
    world.write(`${HOME}/agents/a.md`, `${AGENT}Use ${token}.\n`);
    const findings = await world.findings();
    expect(findings.map((finding) => finding.split(' | ')[1])).toEqual([
      '~/.gateway/agents/a.md:6:5',
      `${world.project}/AGENTS.md:2:3`,
    ]);
    expect(findings[0]).toMatch(
      /^What looks like a secret \(access-token\).*the gateway refuses a call that carries a secret\.$/,
    );
  });

  it('may be too many, or files instead of directories', async () => {
    world.write(`${PROJECT}/agents`, 'text');
    for (let count = 0; count < 501; count += 1) world.write(`${PROJECT}/rules/${count}.md`, '');
    expect(await world.whats()).toEqual([
      'The agents cannot be read: not a directory.',
      'There are more than 500 files of rules.',
    ]);
    expect((await world.report()).instructions).toHaveLength(500);
    rmSync(join(world.root, PROJECT, 'rules', '0.md'));
    expect(await world.whats()).toEqual(['The agents cannot be read: not a directory.']);
    world.write(`${HOME}/rules`, 'text');
    world.write('work/other/.gateway/rules', 'text');
    const elsewhere = { environment: { workingDirectory: join(world.root, 'work', 'other') } };
    expect(await world.whats(elsewhere)).toEqual(['The rules cannot be read: not a directory.']);
  });
});
