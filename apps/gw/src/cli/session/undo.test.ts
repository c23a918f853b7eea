import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { interactiveSuite } from '../../testing/interactive-suite.ts';
import { use } from '../../testing/session-world.ts';

const { inProject, open, userMessages, world } = interactiveSuite();
const write = (name: string, content: string) => use('Write', { file_path: name, content });

describe('/undo and /redo', () => {
  it('/undo takes a change and its message back, /redo brings both again', async () => {
    writeFileSync(inProject('a.txt'), 'old\n');
    const at = await open([use('Read', { file_path: 'a.txt' }), write('a.txt', 'new\n'), 'Changed.', 'After.'], {
      mode: 'auto',
    });
    await at.send('change it');
    await at.shows(/Changed\./);
    await at.send('/undo');
    await at.shows(/Undone: “change it”[\s\S]*Restored: a\.txt/);
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('old\n');
    await at.send('/redo');
    await at.shows(/Redone: “change it”[\s\S]*Restored: a\.txt/);
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('new\n');
    await at.send('/redo');
    await at.shows(/There is nothing to redo\./);
    await at.send('go on');
    await at.shows(/After\./);
    expect(userMessages()).toEqual(['change it', 'go on']);
  });

  it('/undo of a turn that changed no file leaves the files of earlier turns alone', async () => {
    writeFileSync(inProject('a.txt'), 'old\n');
    const at = await open([use('Read', { file_path: 'a.txt' }), write('a.txt', 'new\n'), 'Changed.', 'Explained.'], {
      mode: 'auto',
    });
    await at.send('change it');
    await at.shows(/Changed\./);
    await at.send('explain it');
    await at.shows(/Explained\./);
    await at.send('/undo');
    await at.shows(/Undone: “explain it”[\s\S]*No file was changed\./);
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('new\n');
    await at.send('/undo');
    await at.shows(/Undone: “change it”[\s\S]*Restored: a\.txt/);
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('old\n');
    await at.send('/redo');
    await at.shows(/Redone: “change it”[\s\S]*Restored: a\.txt/);
    expect(readFileSync(inProject('a.txt'), 'utf8')).toBe('new\n');
    await at.send('/redo');
    await at.shows(/Redone: “explain it”[\s\S]*No file was changed\./);
    await at.send('/redo');
    await at.shows(/There is nothing to redo\./);
  });

  it('/undo after /compact takes no summary for a message, and keeps it', async () => {
    const model = `models:\n  - name: Small\n    endpoint: ${world().engine.url}/demo/v1\n    contextLength: 1000\n`;
    world().write('home/casey/.gateway/config.yaml', model);
    const at = await open(['One.', `Two. ${'x '.repeat(650)}`, 'SUMMARY OF IT ALL', 'Last.']);
    await at.send('THE TASK');
    await at.shows(/One\./);
    await at.send('second question');
    await at.shows(/Two\./);
    await at.send('/compact');
    await at.shows(/became a summary/);
    await at.send('/undo');
    await at.shows(/Undone\.[\s\S]*is part of a summary/);
    await at.send('third question');
    await at.shows(/Last\./);
    expect(userMessages()).toEqual(['THE TASK', expect.stringMatching(/SUMMARY OF IT ALL/), 'third question']);
    expect(world().engine.requests.at(-1)?.text).not.toContain('"summary"');
    expect(at.all()).not.toMatch(/Undone: “\[/);
    await at.leave();
    const again = await open([], { resume: true });
    await again.shows(/> THE TASK\n\nOne\.|> THE TASK\n\n\[\d+ earlier messages were summarized/);
    expect(again.all()).not.toContain('> [');
  });
});
