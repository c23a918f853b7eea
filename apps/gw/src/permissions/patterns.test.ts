import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { hostMatches, pathIsCovered, pathMayMatch } from './permissions.ts';
import { isAbout, matchesText, parseOwnRule, parseRule } from './rule.ts';

describe('a pattern of a text', () => {
  it('matches as the same pattern does elsewhere: a star is any text, all else is itself', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '-'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, (pattern, value) => {
        const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
        expect(matchesText(pattern, value)).toBe(new RegExp(`^${parts.join('.*')}$`, 's').test(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('is compared quickly, however many stars it has', () => {
    expect(matchesText(`${'*a'.repeat(2000)}*b`, 'a'.repeat(5000))).toBe(false);
  });
});

describe('a pattern of a host', () => {
  it.each([
    ['example.org', 'example.org', true],
    ['example.org', 'Example.ORG', true],
    ['example.org', 'example.org:8443', true],
    ['example.org:8443', 'example.org:8443', true],
    ['example.org:8443', 'example.org', false],
    ['example.org', 'www.example.org', false],
    ['example.org', 'example.org.', false],
    ['*.example.org', 'example.org', false],
    ['*.example.org', 'a.b.example.org:80', true],
    ['*.example.org', 'notexample.org', false],
    ['*.example.org', 'evil.org/.example.org', true],
    ['*', '[::1]:8080', true],
    ['[::1]', '[::1]', true],
    ['[::1]', '[::1]:8080', true],
    ['[::1]:8080', '[::1]:8081', false],
    ['10.0.0.*', '10.0.0.7', true],
    ['10.0.0.*', '10.0.1.7', false],
    ['', 'example.org', false],
  ])('%s meets %s: %s', (pattern, host, expected) => {
    expect(hostMatches(pattern, host)).toBe(expected);
  });
});

describe('a pattern of a path', () => {
  it('covers what git ignores by the same line', () => {
    const folder = temporaryFolder();
    execFileSync('git', ['init', '-q', folder]);
    const name = fc.constantFrom('a', 'b.ts', 'src', 'c.md', '.env', 'A');
    const paths = fc.sample(
      fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      60,
    );
    const piece = fc.constantFrom('a', 'b.ts', 'src', '*', '*.ts', '?', '[a-c]', '.env', 'A', '*.*');
    const ends = fc.constantFrom(['', ''], ['/', ''], ['**/', ''], ['', '/'], ['', '/**'], ['/', '/**']);
    const patterns = fc.sample(
      fc
        .tuple(ends, fc.array(piece, { minLength: 1, maxLength: 3 }), fc.constantFrom('/', '/', '/**/'))
        .map(([[before, behind], parts, glue]) => `${before}${parts.join(glue)}${behind}`),
      30,
    );
    const different: string[] = [];
    for (const pattern of patterns) {
      writeFileSync(join(folder, '.gitignore'), `${pattern}\n`);
      const words = ['-c', 'core.ignoreCase=false', 'check-ignore', '--no-index', '--stdin', '-v', '-n'];
      const options = { cwd: folder, input: `${paths.join('\n')}\n`, encoding: 'utf8' } as const;
      const lines = execFileSync('/bin/sh', ['-c', 'git "$@" || true', 'sh', ...words], options)
        .trimEnd()
        .split('\n');
      for (const [at, path] of paths.entries()) {
        const ignored = !lines[at]?.startsWith('::');
        const place = { path: join(folder, path), relative: path };
        if (pathIsCovered(pattern, place) !== ignored) different.push(`${pattern} ${path} ${ignored}`);
      }
    }
    expect(different).toEqual([]);
  });

  it('with an inverted class allows nothing, and excludes at least what git would', () => {
    const at = (relative: string) => ({ path: `/p/${relative}`, relative });
    for (const pattern of ['[!s]*', '[^s]*', 'src/[!a]']) {
      for (const path of ['secret', 'open', 'src/a', 'src/b']) expect(pathIsCovered(pattern, at(path))).toBe(false);
      expect(pathMayMatch(pattern, at('src/b'), 'src/b')).toBe(true);
    }
    expect(pathIsCovered('\\[!s]', at('[!s]'))).toBe(true);
  });

  it('covers neither the project itself nor what is outside or not known', () => {
    for (const pattern of ['*', '**', '/', '.']) {
      expect(pathIsCovered(pattern, { path: '/p', relative: '' })).toBe(false);
      expect(pathIsCovered(pattern, { path: '/other/a', relative: null })).toBe(false);
      expect(pathIsCovered(pattern, null)).toBe(false);
    }
  });

  it('of an exclusion meets whatever one of a permission covers, and the same in other letters', () => {
    const path = fc.array(fc.constantFrom('a', 'b.ts', 'src', '.env', 'é'), { minLength: 1, maxLength: 3 });
    const pattern = fc.constantFrom('*.ts', 'src/**', '.env', 'a', '/a', '**/b.ts', 'src/', '*');
    fc.assert(
      fc.property(path, pattern, (parts, one) => {
        const relative = parts.join('/');
        fc.pre(pathIsCovered(one, { path: `/p/${relative}`, relative }));
        expect(pathMayMatch(one, { path: `/p/${relative}`, relative }, relative)).toBe(true);
        const upper = relative.toUpperCase();
        expect(pathMayMatch(one, { path: `/p/${upper}`, relative: upper }, upper)).toBe(true);
      }),
    );
  });

  it.each([
    ['.env', { path: '/outside/.env', relative: null }, '../outside/.env', true],
    ['.env', { path: '/p/config', relative: 'config' }, '.env', true],
    ['.env', { path: '/p/.env', relative: '.env' }, 'link', true],
    ['.env', { path: '/p/.envs', relative: '.envs' }, '.envs', false],
    ['secrets/', { path: '/p/secrets/a', relative: 'secrets/a' }, 'secrets\\a', true],
    ['a', { path: '/p', relative: '' }, '.', false],
  ])('%s of an exclusion meets %j written %s: %s', (pattern, place, written, expected) => {
    expect(pathMayMatch(pattern, place, written)).toBe(expected);
  });
});

describe('a rule', () => {
  it.each([
    ['Bash(git commit -m "(x)")', 'Bash', 'git commit -m "(x)"'],
    ['  Read  ', 'Read', null],
    ['Write( src/** )', 'Write', 'src/**'],
    ['Bash(a\nb)', 'Bash', 'a\nb'],
    ['mcp__files__*', 'mcp__files__*', null],
  ])('%j is about %s with the pattern %j', (text, tool, pattern) => {
    expect(parseRule(text)).toEqual({ rule: { tool, pattern, text: text.trim() } });
  });

  it('of a person needs a tool that exists, in any letter case', () => {
    for (const text of ['bash', 'READ(*.md)', 'mcp__any__tool', 'MCP__any', '*', 'Multi*'])
      expect(parseOwnRule(text)).toHaveProperty('rule');
    for (const text of ['Bsh', 'Shell(ls)', 'mcp_files', 'Readd'])
      expect(parseOwnRule(text)).toEqual({ fault: expect.stringMatching(/^names no tool: tools are Read, List/) });
  });

  it.each([
    ['mcp__files__*', 'mcp__files__read', true],
    ['mcp__files__*', 'mcp__filesystem__read', false],
    ['edit', 'Edit', true],
    ['Edit', 'MultiEdit', false],
    ['*', 'Bash', true],
  ])('%s is about %s: %s', (tool, name, expected) => {
    expect(isAbout({ tool, pattern: null, text: tool }, name)).toBe(expected);
  });
});
