import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointPathFault, isPathAllowed } from './paths.ts';

describe('the paths of an endpoint', () => {
  it.each<[readonly string[], string, boolean]>([
    [[], '/anything', true],
    [['/chat/completions'], '/chat/completions', true],
    [['/chat/completions'], '/v1/chat/completions', true],
    [['/chat/completions'], '/v1beta/chat/completions?stream=true', true],
    [['/v1/chat/completions'], '/v1/chat/completions', true],
    [['/v1/chat/completions'], '/chat/completions', false],
    [['/chat/completions'], '/v1/files', false],
    [['/chat/completions'], '/v1/chat/completions/', false],
    [['/chat/completions'], '/v1/chat/completions/id', false],
    [['/chat/completions'], '/v1/v1/chat/completions', false],
    [['/chat/completions'], '/x/chat/completions', false],
    [['/chat/completions'], '/CHAT/completions', true],
    [['/Chat/completions'], '/chat/completions', false],
    [['/chat/completions'], '', false],
    [['/chat/completions'], '?/chat/completions', false],
    [['/files', '/chat/completions'], '/v1/chat/completions', true],
    [['/responses', '/responses/*'], '/v1/responses/resp_1/cancel', true],
    [['/responses/*'], '/v1/responses', false],
    [['/responses/*'], '/v1/responses/', false],
    [['/models/*'], '/v1beta/models/gemini-2.5:generateContent', true],
    [['/models/*'], '/v1beta/models/../../v1/files', false],
    [['/models/*'], '/v1beta/models/..%2f..%2ffiles', false],
    [['/models/*'], '/v1beta/models/..\\..\\files', false],
    [['/models/*:generateContent'], '/v1beta/models/gemini-2.5:generateContent', true],
    [['/models/*:generateContent'], '/v1beta/models/a/b:generateContent', false],
    [['/openai/deployments/gpt-*/chat/completions'], '/openai/deployments/gpt-4/chat/completions?api-version=1', true],
    [['/openai/deployments/gpt-*/chat/completions'], '/openai/deployments/gpt-4/files/chat/completions', false],
    [['/openai/deployments/gpt-*/chat/completions'], '/openai/deployments/o3/chat/completions', false],
    [['/chat/completions'], '/v1/files/../chat/completions', false],
    [['/chat/completions'], '/v1/chat/completions/../../files', false],
    [['/chat/completions'], '/v1/chat%2Fcompletions', false],
    [['/chat/completions'], '//chat/completions', false],
    [['/chat/completions'], '/v1/files#/chat/completions', false],
    [['/a.b'], '/aXb', false],
    [['/a(b'], '/a(b', true],
  ])('%j: a call of %j is allowed: %j', (declared, rest, allowed) => {
    expect(isPathAllowed(declared, rest)).toBe(allowed);
  });

  it('allow the paths that they name, and without a wildcard no others', () => {
    const segment = fc.stringMatching(/^[a-z0-9_-]{1,8}$/);
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
    fc.assert(
      fc.property(path, path, (declared, asked) => {
        expect(isPathAllowed([declared], declared)).toBe(true);
        const same = asked === declared || asked.replace(/^\/v\d+[a-z]*\d*(?=\/)/, '') === declared;
        expect(isPathAllowed([declared], asked)).toBe(same);
      }),
    );
  });

  it('are matched quickly, for any declaration and request', () => {
    const declared = `/${'*a'.repeat(200)}`;
    expect(endpointPathFault(declared)).toMatch(/wildcards/);
  });

  it.each([
    ['chat', 'begin with /'],
    ['', 'begin with /'],
    ['/a b', 'begin with /'],
    ['/é', 'begin with /'],
    ['/a?b', 'without a query'],
    ['/a#b', 'without a query'],
    ['/a/../b', 'dot segments'],
    ['/a//b', 'empty'],
    ['/a%20b', 'percent'],
    ['/a\\b', 'backslashes'],
    [`/${'a'.repeat(500)}`, 'at most 500'],
  ])('cannot be %j', (text, fault) => {
    expect(endpointPathFault(text)).toContain(fault);
  });
  it.each(['/', '/v1/chat/completions', '/models/*', '/v1beta/models/*:generateContent', '/responses/'])(
    'can be %j',
    (text) => {
      expect(endpointPathFault(text)).toBeNull();
    },
  );
});
