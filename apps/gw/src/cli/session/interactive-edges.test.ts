import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { interactiveSuite } from '../../testing/interactive-suite.ts';
import { use } from '../../testing/session-world.ts';

const { world, open, inProject, userMessages } = interactiveSuite();
const ESCAPE = '\x1b';

describe('a session without a message', () => {
  it('is not copied by /fork: there is nothing in it, and it goes on', async () => {
    const at = await open(['Hello.']);
    await at.send('/fork');
    await at.shows(/There is nothing to copy yet: this session has no message\./);
    await at.send('hi');
    await at.shows(/Hello\./);
    expect(await at.leave()).toBe(0);
  });

  it('has nothing to undo, to redo, to compact or to resume', async () => {
    const at = await open([]);
    await at.send('/undo');
    await at.shows(/There is nothing to undo\./);
    await at.send('/redo');
    await at.shows(/There is nothing to redo\./);
    await at.send('/compact');
    await at.send('/sessions');
    await at.shows(/There is no other session of this project\./);
    expect(at.all()).not.toContain('Failed');
    expect(world().engine.requests).toHaveLength(0);
  });

  it('leaves no file behind', async () => {
    const at = await open([]);
    expect(await at.leave()).toBe(0);
    expect((await world().gw(['ls', '--json'])).out).toBe('{"sessions":[]}\n');
  });
});

describe('a turn that is interrupted', () => {
  it('keeps what was said, and the next message knows it', async () => {
    const { promise: hold, resolve } = Promise.withResolvers<void>();
    const at = await open([{ text: 'HALF OF THE ANSWER', hold }, 'Second.']);
    await at.send('first');
    await at.shows(/HALF OF THE ANSWER/);
    await at.press(ESCAPE);
    await at.shows(/Interrupted\./);
    resolve();
    await at.send('go on');
    await at.shows(/Second\./);
    expect(userMessages()).toEqual(['first', 'go on']);
    expect(world().engine.requests.at(-1)?.text).toContain('HALF OF THE ANSWER');
  });

  it('ends the command that runs, and what it had printed stays', async () => {
    const at = await open([use('Bash', { command: 'echo begun; sleep 1000' }), 'After it.'], { mode: 'auto' });
    await at.send('run it');
    await at.shows(/^ {2}begun$/m);
    await at.press(ESCAPE);
    await at.shows(/Interrupted\./);
    expect(at.all()).toMatch(/● Bash echo begun; sleep 1000\n {2}begun\n\nInterrupted\./);
    await at.send('again');
    await at.shows(/After it\./);
  });

  it('while it asks for a permission runs nothing', async () => {
    const at = await open([use('Bash', { command: 'touch made' }), 'After it.']);
    await at.send('run it');
    await at.shows(/Allow Bash as shown above\?/);
    await at.press(ESCAPE);
    await at.shows(/Interrupted\./);
    await at.send('again');
    await at.shows(/After it\./);
    expect(() => readFileSync(inProject('made'))).toThrow('ENOENT');
  });
});

describe('what a person reads', () => {
  it('a gateway that refuses in its own words, and the message can be sent again', async () => {
    const at = await open([{ status: 402, body: '{"error":{"message":"Your budget is used up."}}' }, 'Now it works.']);
    await at.send('one');
    await at.shows(/The gateway refused: .*Your budget is used up\./);
    await at.press('\x1b[A');
    await at.press('\r');
    await at.shows(/Now it works\./);
    expect(userMessages().at(-1)).toBe('one');
  });

  it('a revoked session ends at once with 4', async () => {
    const at = await open([
      {
        status: 403,
        headers: { 'x-gateway-session-standing': 'revoked' },
        body: '{"error":{"message":"This agent session was revoked."}}',
      },
    ]);
    await at.send('one');
    await at.shows(/This agent session was revoked\./);
    expect(await at.leave()).toBe(4);
  });

  it('that a secret was masked, before the model gets the message', async () => {
    const at = await open(['Seen.']);
    const secret = ['AKIA', 'Q3EGRSUVWXYZ2345'].join('');
    await at.send(`my key is ${secret}`);
    await at.shows(/1 secret was/);
    await at.shows(/Seen\./);
    expect(world().engine.requests[0]?.text).not.toContain(secret);
  });

  it('an answer of wide characters and long lines is whole in a narrow window', async () => {
    const words = Array.from({ length: 40 }, (_, index) => `語${index}`).join(' ');
    const at = await open([`${words}\n\n\`\`\`\n${'#'.repeat(100)}\n\`\`\`\n`], {}, { columns: 30, rows: 8 });
    await at.send('say it');
    await at.shows(/#{20}[\s\S]*normal/);
    const shown = [...at.all().matchAll(/語\d+/g)].map(([word]) => word);
    expect(shown).toEqual(words.split(' '));
    expect(at.all().match(/#/g)).toHaveLength(100);
    for (const row of at.screen().split('\n')) expect(row.length).toBeLessThanOrEqual(30);
  });

  it('everything once with a screen reader', async () => {
    const at = await open([use('Write', { file_path: 'a.txt', content: 'x' }), 'Written.'], {}, { screenReader: true });
    await at.send('write it');
    await at.shows(/Permission needed: allow Write a\.txt\?/);
    await at.press('y');
    await at.shows(/Written\./);
    expect(at.all().match(/Written\./g)).toHaveLength(1);
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('x');
  });
});

describe('the command line of a session', () => {
  it('--resume shows the conversation, and continues it', async () => {
    const first = await open(['First answer.']);
    await first.send('FIRST QUESTION');
    await first.shows(/First answer\./);
    await first.leave();
    const second = await open(['Second answer.'], { resume: true });
    await second.shows(/> FIRST QUESTION\n\nFirst answer\./);
    await second.send('second');
    await second.shows(/Second answer\./);
    expect(userMessages()).toEqual(['FIRST QUESTION', 'second']);
  });

  it('a prompt is sent at once, and what is typed meanwhile waits', async () => {
    const at = await open(['To the prompt.', 'To the message.'], { prompt: 'THE PROMPT' });
    await at.send('the message');
    await at.shows(/To the prompt\.[\s\S]*To the message\./);
    expect(userMessages()).toEqual(['THE PROMPT', 'the message']);
  });

  it('/model takes another model of the configuration, and refuses one that is not there', async () => {
    const entry = (name: string): string =>
      `  - name: ${name}\n    model: ${name}-id\n    endpoint: ${world().engine.url}/demo/v1\n`;
    world().write('home/casey/.gateway/config.yaml', `models:\n${entry('One')}${entry('Two')}`);
    const at = await open(['From it.']);
    await at.send('/model Three');
    await at.shows(/No model is named Three\. The configuration names: One, Two\./);
    await at.send('/model two');
    await at.shows(/The model is now Two\./);
    await at.send('hi');
    await at.shows(/From it\./);
    expect(world().engine.requests[0]?.body.model).toBe('Two-id');
  });

  it('/permissions lists the rules of the command line and of the configuration', async () => {
    const config = readFileSync(`${world().home}/.gateway/config.yaml`, 'utf8');
    world().write(
      'home/casey/.gateway/config.yaml',
      `${config}permissions:\n  exclude: [Fetch]\n  ask: [Read]\n  allow: ["Bash(git status)"]\n`,
    );
    const at = await open([], {
      tools: [
        { option: '--exclude', rule: 'Bash(rm *)' },
        { option: '--allow', rule: 'Write' },
      ],
    });
    await at.send('/permissions');
    await at.shows(/Rules of your organization: run gw policy\./);
    const text = at.all().replaceAll(/ {2,}/g, ' ');
    for (const line of [
      '--exclude Bash(rm *)',
      '--allow Write',
      'configuration exclude Fetch',
      'configuration ask Read',
      'configuration allow Bash(git status)',
    ])
      expect(text).toContain(line);
    expect(text).toContain('No call is always approved in this project.');
  });
});
