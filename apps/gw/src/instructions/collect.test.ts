import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openWorld } from '../testing/world.ts';
import { collectInstructions } from './collect.ts';

function world(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const opened = openWorld();
  onTestFinished(() => opened.close());
  for (const [path, text] of Object.entries(files)) opened.write(path, text);
  const at = (path: string): string => join(opened.root, path);
  /** The texts that were found, and the notices without the root. */
  const collected = async (change: { readonly foreign?: boolean; readonly home?: string | null } = {}) => {
    const { foreign = false, home = opened.home } = change;
    const project = { directory: opened.project, repository: true, foreign };
    const { found, notices } = await collectInstructions(project, home);
    return { texts: found.map(({ text }) => text), notices: notices.map((line) => line.replaceAll(opened.root, '')) };
  };
  return { ...opened, at, collected };
}

describe('the instructions of a project', () => {
  it('are AGENTS.md, then its rules by name at any depth, then those of home', async () => {
    const { collected } = world({
      'work/shop/AGENTS.md': 'agents',
      'work/shop/CLAUDE.md': 'not read',
      'work/shop/.gateway/rules/b.md': 'b',
      'work/shop/.gateway/rules/a/deep/er.md': 'deep',
      'work/shop/.gateway/rules/c.txt': 'not read',
      'work/shop/.gateway/rules/.hidden.md': 'hidden',
      'work/AGENTS.md': 'not read: above the project',
      'home/casey/.gateway/rules/own.md': 'own',
      'home/casey/AGENTS.md': 'not read: home is no project',
    });
    expect(await collected()).toEqual({ texts: ['agents', 'hidden', 'deep', 'b', 'own'], notices: [] });
  });

  it('are CLAUDE.md where there is no AGENTS.md', async () => {
    const { collected } = world({ 'work/shop/CLAUDE.md': '\ufeff one\r\ntwo \r\n' });
    expect((await collected()).texts).toEqual(['one\r\ntwo']);
  });

  it('are none, without a notice, in an empty project and without a home', async () => {
    const { collected } = world();
    expect(await collected()).toEqual({ texts: [], notices: [] });
    expect(await collected({ home: null })).toEqual({ texts: [], notices: [] });
  });

  it('are not read where the project is of another user; those of home are', async () => {
    const { collected } = world({
      'work/shop/AGENTS.md': 'foreign',
      'work/shop/.gateway/rules/a.md': 'foreign',
      'home/casey/.gateway/rules/own.md': 'own',
    });
    expect(await collected({ foreign: true })).toEqual({
      texts: ['own'],
      notices: ['/work/shop belongs to somebody else: its instructions were not read.'],
    });
  });

  it('are read once where the project is the home', async () => {
    const { collected, project } = world({ 'work/shop/.gateway/rules/a.md': 'once' });
    expect((await collected({ home: project })).texts).toEqual(['once']);
  });

  it('are not read through a link that leaves the project, by file or by folder', async () => {
    const { at, collected } = world({
      'elsewhere/secret.md': 'secret',
      'work/shop/own.md': 'own',
      'work/shop/.gateway/x': '',
    });
    symlinkSync('../../elsewhere/secret.md', at('work/shop/AGENTS.md'));
    symlinkSync('own.md', at('work/shop/CLAUDE.md'));
    symlinkSync(at('elsewhere'), at('work/shop/.gateway/rules'));
    expect(await collected()).toEqual({
      texts: ['own'],
      notices: [
        '/work/shop/AGENTS.md is a link that points out of the project: it was not read.',
        '/work/shop/.gateway/rules/secret.md is a link that points out of the project: it was not read.',
      ],
    });
  });

  it('may be links to anywhere at home', async () => {
    const { at, collected } = world({ 'elsewhere/rule.md': 'shared', 'home/casey/.gateway/rules/a.md': 'own' });
    symlinkSync(at('elsewhere/rule.md'), at('home/casey/.gateway/rules/b.md'));
    expect((await collected()).texts).toEqual(['own', 'shared']);
  });

  it.each([
    ['text that is too large', 'x'.repeat(2 ** 20 + 1), 'too large'],
    ['UTF-16', Buffer.from('\ufefftext', 'utf16le'), 'not UTF-8'],
    ['Latin-1', Buffer.from([0x66, 0xfc, 0x72]), 'not UTF-8'],
  ])('leave out %s, with a notice, and the rest counts', async (_, content, why) => {
    const { collected } = world({ 'work/shop/AGENTS.md': content, 'work/shop/.gateway/rules/a.md': 'rule' });
    expect(await collected()).toEqual({ texts: ['rule'], notices: [`/work/shop/AGENTS.md was not read: ${why}.`] });
  });

  it('leave out a folder of the name and a link to itself', async () => {
    const { at, collected } = world({ 'work/shop/.gateway/rules/ok.md': 'ok' });
    mkdirSync(at('work/shop/AGENTS.md'));
    mkdirSync(at('work/shop/.gateway/rules/folder.md'));
    symlinkSync('loop.md', at('work/shop/.gateway/rules/loop.md'));
    const { texts, notices } = await collected();
    expect([texts, notices]).toEqual([
      ['ok'],
      ['/work/shop/AGENTS.md was not read: directory.', '/work/shop/.gateway/rules/loop.md was not read: link loop.'],
    ]);
  });

  it('end at eight folders within each other', async () => {
    const folders = (depth: number): string => Array.from({ length: depth }, (_, at) => `${at}/`).join('');
    const { collected } = world({
      [`work/shop/.gateway/rules/${folders(7)}a.md`]: 'seven',
      [`work/shop/.gateway/rules/${folders(8)}a.md`]: 'eight',
    });
    expect((await collected()).texts).toEqual(['seven']);
  });

  it('say how many rules were not read', async () => {
    const rules = Array.from({ length: 501 }, (_, at) => [`work/shop/.gateway/rules/${1000 + at}.md`, String(at)]);
    const { collected } = world(Object.fromEntries(rules) as Record<string, string>);
    const { texts, notices } = await collected();
    expect([texts.length, texts[0], notices]).toEqual([
      500,
      '0',
      ['Only 500 of the 501 rules in /work/shop/.gateway/rules were read.'],
    ]);
  });
});
