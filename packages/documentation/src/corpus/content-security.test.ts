import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { contentSecurityPolicyOf } from './pages.ts';

const HTML = 'text/html; charset=utf-8';
const policyOf = (html: string) => contentSecurityPolicyOf(HTML, Buffer.from(html)) ?? '';
const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('allows a page nothing inline and nothing from other origins', () => {
  const policy = policyOf('<p onclick="x()">text</p>');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
  expect(/script-src [^;]*/.exec(policy)?.[0]).not.toContain('unsafe');
});

it('names the inline scripts and styles of the page by digest, each once', () => {
  const policy = policyOf(
    '<script>a()</script><SCRIPT type="module">b()</SCRIPT ><script>a()</script><style>p{}</style>',
  );
  expect(policy).toContain(`script-src 'self' ${sha256('a()')} ${sha256('b()')};`);
  expect(policy).toContain(`style-src 'self' ${sha256('p{}')};`);
});

it('takes the line ends a browser would see', () => {
  expect(policyOf('<script>a()\r\nb()\rc()</script>')).toContain(sha256('a()\nb()\nc()'));
});

it('reads a page in the encoding in which a browser reads it', () => {
  const page = Buffer.from("<meta charset=iso-8859-1><script>say('Größe')</script>", 'latin1');
  expect(contentSecurityPolicyOf('text/html', page)).toContain(sha256("say('Größe')"));
});

it('adds no digest for a script that is loaded', () => {
  expect(policyOf('<script src="a.js"></script><script defer src = a.js>ignored</script>')).toContain(
    "script-src 'self';",
  );
});

it('names an inline script whose attributes only resemble an address', () => {
  const policy = policyOf('<script data-src="a.js">a()</script><script data-code=" src_ = 1" type=module>b()</script>');
  expect(policy).toContain(`script-src 'self' ${sha256('a()')} ${sha256('b()')};`);
});

it('forbids a drawing opened by itself to run anything', () => {
  for (const type of ['image/svg+xml; charset=utf-8', 'application/xml; charset=utf-8', 'application/xhtml+xml']) {
    expect(contentSecurityPolicyOf(type, null)).toMatch(/^default-src 'none'(?!.*script-src)/);
  }
});

it('is not sent with types a browser does not run', () => {
  expect(contentSecurityPolicyOf('text/css; charset=utf-8', Buffer.from('<script>x</script>'))).toBeNull();
});
