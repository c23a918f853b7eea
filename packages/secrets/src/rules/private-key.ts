import { charset } from '../text/charset.ts';
import { checkPem, checkPutty, checkSsh2 } from '../verify/pem/pem.ts';
import { checkWrappedPem } from '../verify/pem/wrapped-pem.ts';
import { checkXmlKey } from '../verify/pem/xml-key.ts';
import type { StructuralRule } from '../verify/rule.ts';

/** Private keys in files, plain and encoded. */
export const PRIVATE_KEY_RULES: readonly StructuralRule[] = [
  {
    id: 'pem-private-key',
    title: 'Private key (PEM, OpenSSH, PGP)',
    kind: 'private-key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    confidence: 'high',
    keywords: ['-----begin '],
    follows: charset('A-Z'),
    begins: '-----BEGIN ',
    check: checkPem,
  },
  {
    id: 'putty-private-key',
    title: 'Private key (PuTTY)',
    kind: 'private-key',
    source: 'https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html',
    confidence: 'high',
    keywords: ['private-lines:'],
    check: checkPutty,
  },
  {
    id: 'ssh2-private-key',
    title: 'Private key (SSH2)',
    kind: 'private-key',
    source: 'https://www.rfc-editor.org/rfc/rfc4716',
    confidence: 'high',
    keywords: ['---- begin ssh2 encrypted private key ----'],
    check: checkSsh2,
  },
  {
    id: 'xml-private-key',
    title: 'Private key (XML)',
    kind: 'private-key',
    source: 'https://learn.microsoft.com/en-us/dotnet/api/system.security.cryptography.rsa.toxmlstring',
    confidence: 'high',
    keywords: ['</exponent>'],
    check: checkXmlKey,
  },
  {
    id: 'base64-private-key',
    title: 'Private key (PEM wrapped in base64)',
    kind: 'private-key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    confidence: 'high',
    keywords: ['ls0tls1crudjti'],
    begins: 'LS0tLS1CRUdJTi',
    check: checkWrappedPem,
  },
  {
    id: 'base64-twice-private-key',
    title: 'Private key (PEM wrapped twice in base64)',
    kind: 'private-key',
    source: 'https://www.rfc-editor.org/rfc/rfc7468',
    confidence: 'high',
    keywords: ['tfmwdexttmunsvrkv'],
    begins: 'TFMwdExTMUNSVWRKV',
    check: checkWrappedPem,
  },
];
