import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KEYWORDS, NAMES } from './keywords.ts';
import { configurationPage, refusalsPage } from './references.ts';
import { INDEX, PAGES } from './sections.ts';

it('every page has keywords, and no other path does', () => {
  expect(Object.keys(KEYWORDS).sort()).toEqual([INDEX, ...PAGES].map(({ path }) => path).sort());
});

it('pages that have names have keywords, and each name is a word', () => {
  expect(Object.keys(NAMES).filter((path) => KEYWORDS[path] === undefined)).toEqual([]);
  for (const names of Object.values(NAMES)) expect(names).toMatch(/^[\w.]+(?:, [\w.]+)*$/);
});

it('keywords fit on one line of the front matter', () => {
  for (const words of Object.values(KEYWORDS)) expect(words).toMatch(/^[^\n'"].*[^\n,'"]$/);
});

/** Terms of the field: synonyms of what a page says in other words. Every other name is that of a product, a standard or a code. */
const TERMS = new Set(
  `ABAC AI API APIs APM BYOK CA CD CI CIDR CLI Connect CPU CSV CVE DB DCR DLP DR FAQ FinOps GDPR GitOps GPG GPU HA HR HTTP HTTPS I IaC ID
  IDE IdP IP JSON KPI LLM LLMs MCP MDM Merkle MR OAuth2 OIDC OpenID PITR PKI PR RAG RAM RBAC REPL REST RPO RTO SaaS SDK SIEM SLA SPL SSE
  SSH SSL SSO TLS TUI UI URI URIs URL URLs VM VPN`.split(/\s+/),
);
const GENERATED: Readonly<Record<string, () => string>> = {
  'reference/configuration': configurationPage,
  'reference/refusals': refusalsPage,
};
const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll(/[\u2019']s?/g, '')
    .split(/[^\p{L}\p{N}_]+/u);

// A reader who searches for a product must find what the manual says about it, not only a page that hopes to fit.
it.each(Object.entries(KEYWORDS))('a name among the keywords is in the text of its page: %s', (path, keywords) => {
  const file = join(import.meta.dirname, `../pages/${path}.md`);
  const text = new Set(wordsIn(existsSync(file) ? readFileSync(file, 'utf8') : (GENERATED[path]?.() ?? '')));
  const names = keywords
    .split(/[\s,/-]+/)
    .filter((word) => /\p{Lu}|_/u.test(word) && !TERMS.has(word))
    .filter((word) => wordsIn(word).some((part) => part !== '' && !text.has(part)));
  expect(names).toEqual([]);
});
