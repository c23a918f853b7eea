import { describe, expect, it } from 'vitest';
import { plainWords } from './plain-words.ts';

describe('the words of a passage', () => {
  it.each([
    ['a `code` and **strong** words', 'a code and strong words'],
    ['see [the log](/v/1.0.0/concepts/log.md).', 'see the log.'],
    ['- one\n- two\n1. three', 'one two three'],
    ['```sh\nnpm start\n```\n\nThis installs.', 'npm start This installs.'],
    ['~~~\ncode\n~~~', 'code'],
    ['| Role | For |\n| ---- | :-: |\n| `auditeur` | reading |', 'Role For auditeur reading'],
    ['> said\n\n## Heading', 'said Heading'],
    ['GATEWAY_DOCS_DIR and snake_case stay', 'GATEWAY_DOCS_DIR and snake_case stay'],
    ['`POST /v/_mcp`, then more', 'POST /v/_mcp, then more'],
    ['', ''],
  ])('%j', (markdown, words) => {
    expect(plainWords(markdown)).toBe(words);
  });
  it('are cut at a word', () => {
    const cut = plainWords('gateway '.repeat(100));
    expect(cut.length).toBeLessThanOrEqual(202);
    expect(cut).toMatch(/gateway …$/);
  });
  it('are cut anywhere where there is no word, and never in the middle of a character', () => {
    expect(plainWords('a'.repeat(300))).toBe(`${'a'.repeat(200)} …`);
    expect(plainWords(`a${'💡'.repeat(200)}`)).toBe(`a${'💡'.repeat(99)} …`);
  });
});
