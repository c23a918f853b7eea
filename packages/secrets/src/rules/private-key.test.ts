import { describe, expect, it } from 'vitest';
import { createScanner } from '../stream/scanner.ts';
import { body, HEADER, pem } from '../testing/private-key.ts';
import { read } from '../testing/written.ts';

const scanner = createScanner({ key: Buffer.from('private keys') });
const indented = (text: string, blanks: number): string => text.trimEnd().replaceAll(/^/gm, ' '.repeat(blanks));
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const wrapped = Buffer.from(pem).toString('base64');
/** Parts of the key that nothing masked may show. */
const PARTS = [...body.split('\n').flatMap((line) => [line.slice(0, 24), line.slice(-24)]), wrapped.slice(60, 90)];

const FILES: readonly (readonly [string, string])[] = [
  ['a file', pem],
  ['a file with line ends of Windows', pem.replaceAll('\n', '\r\n')],
  ['a file of which the end was left out', pem.slice(0, -60)],
  ['a script', `cat > key.pem <<'EOF'\n${pem}EOF\nchmod 600 key.pem\n`],
  ['an environment file', `PORT=1\nPRIVATE_KEY="${pem.trimEnd()}"\nDEBUG=0\n`],
  ['an environment file in one line', `PRIVATE_KEY="${escaped(pem)}"\n`],
  ['YAML', `tls:\n  key: |\n${indented(pem, 4)}\n  port: 443\n`],
  ['YAML that folds it', `tls:\n  key: "${escaped(pem)}"\n`],
  ['a secret of Kubernetes', `kind: Secret\ndata:\n  tls.crt: LS0t\n  tls.key: ${wrapped}\n`],
  ['the configuration of kubectl', `users:\n- name: admin\n  user:\n    client-key-data: ${wrapped}\n`],
  [
    'a service account of Google',
    JSON.stringify({ type: 'service_account', project_id: 'shop', private_key: pem, client_email: 'ci@shop' }, null, 2),
  ],
  ['a service account in an environment variable', `GOOGLE_CREDENTIALS='${JSON.stringify({ private_key: pem })}'`],
  ['a service account in JSON in JSON', JSON.stringify({ env: JSON.stringify({ private_key: pem }) })],
  ['JavaScript', `const key = \`${pem}\`;\nexport default key;\n`],
  ['JavaScript that joins lines', `const key = [\n${pem.trimEnd().replaceAll(/^.*$/gm, "  '$&',")}\n].join('\\n');\n`],
  ['Python', `KEY = """${pem}"""\n`],
  ['Go', `var key = []byte(\`${pem}\`)\n`],
  ['Terraform', `resource "tls" "x" {\n  private_key_pem = <<-EOT\n${indented(pem, 4)}\n  EOT\n}\n`],
  ['a difference', `--- a/key.pem\n+++ b/key.pem\n@@ -0,0 +1 @@\n${pem.trimEnd().replaceAll(/^/gm, '+')}\n`],
  ['a quotation', pem.trimEnd().replaceAll(/^/gm, '> ')],
  ['a fence of Markdown', `The key:\n\n\`\`\`\n${pem}\`\`\`\n\nworks.\n`],
  ['XML', `<ds:KeyInfo><key><![CDATA[${pem}]]></key></ds:KeyInfo>`],
  ['a log', `2026-01-02 10:11:12 ERROR cannot parse key: ${escaped(pem)} at line 1\n`],
  ['the configuration of OpenVPN', `dev tun\n<key>\n${pem}</key>\nverb 3\n`],
];

describe('a private key', () => {
  it.each(FILES)('is masked whole in %s, in a text and within a request', (_, text) => {
    const { masked } = read(text);
    const plain = Buffer.from(scanner.scanBody(Buffer.from(text), 'text/plain').mask()).toString();
    for (const part of PARTS) {
      expect(masked).not.toContain(part);
      expect(plain).not.toContain(part);
    }
    expect(masked).toContain('[secret:private-key]');
    expect(scanner.scanText(text).every(({ kind }) => kind === 'private-key')).toBe(true);
  });

  it.each(FILES)('leaves what is around it in %s', (_, text) => {
    const findings = scanner.scanText(text);
    const from = findings[0]?.start ?? 0;
    const to = findings.at(-1)?.end ?? 0;
    const { masked } = read(text);
    expect(masked.startsWith(text.slice(0, from))).toBe(true);
    expect(masked.endsWith(text.slice(to))).toBe(true);
  });

  it.each([
    'RSA PRIVATE KEY',
    'EC PRIVATE KEY',
    'DSA PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('is one of the kind %s, too', (kind) => {
    const text = `see\n${pem.replaceAll('PRIVATE KEY', kind)}there\n`;
    expect(read(text).masked).toBe('see\n[secret:private-key]\nthere\n');
  });

  it('is found beside a second one, each by itself', () => {
    expect(read(`${pem}\nand\n${pem}`).masked).toBe('[secret:private-key]\n\nand\n[secret:private-key]\n');
  });
});

describe('no private key', () => {
  it.each([
    ['a public key', pem.replaceAll('PRIVATE', 'PUBLIC')],
    ['a certificate', pem.replaceAll('PRIVATE KEY', 'CERTIFICATE')],
    ['a request for a certificate', pem.replaceAll('PRIVATE KEY', 'CERTIFICATE REQUEST')],
    ['a public key of PGP', pem.replaceAll('PRIVATE KEY', 'PGP PUBLIC KEY BLOCK')],
    ['a signature', pem.replaceAll('PRIVATE KEY', 'PGP SIGNATURE')],
    ['parameters', pem.replaceAll('PRIVATE KEY', 'DH PARAMETERS')],
  ])('is %s', (_, text) => {
    expect(read(text).masked).toBe(text);
  });

  it.each([
    `if (!key.startsWith('${HEADER}')) throw new Error('no key');`,
    `The file begins with \`${HEADER}\` and ends with \`-----END PRIVATE KEY-----\`.`,
    `grep -rl "${HEADER}" .`,
    `${HEADER}\n...\n-----END PRIVATE KEY-----`,
    `${HEADER}\n<your key here>\n-----END PRIVATE KEY-----`,
    'key: ${{ secrets.DEPLOY_KEY }}\nssl_certificate_key /etc/ssl/private/acme.key;',
  ])('is where one is only spoken of: %s', (text) => {
    expect(read(text).masked).toBe(text);
  });
});
