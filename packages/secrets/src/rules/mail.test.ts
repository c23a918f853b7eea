import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep keys of mail services. */
const SECRETS = [
  ['settings of SendGrid', "sgMail.setApiKey('«sendgrid-key SG.[A-Za-z0-9_-]{22}.[A-Za-z0-9_-]{43}»');"],
  [
    'the SMTP settings of an application',
    `smtp:
  host: smtp.sendgrid.net
  user: apikey
  pass: «sendgrid-key SG.[A-Za-z0-9_-]{22}.[A-Za-z0-9_-]{43}»
`,
  ],
  [
    'a request to Mailgun',
    'curl -s --user api:«curl-user key-[a-f0-9]{32}» https://api.mailgun.net/v3/acme.io/messages',
  ],
  ['settings of Mailgun', "MAILGUN_API_KEY='«mailgun-key key-[a-f0-9]{32}»'\nMAILGUN_DOMAIN='mg.acme.io'"],
  ['settings of Mailchimp', '{"mailchimp":{"apiKey":"«mailchimp-key [a-f0-9]{32}-us21»","server":"us21"}}'],
  [
    'settings of Brevo',
    "defaultClient.authentications['api-key'].apiKey = '«brevo-key xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}»';",
  ],
  ['settings of Resend', 'const resend = new Resend("«resend-key re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}»");'],
  ['settings of Postmark', 'POSTMARK_SERVER_TOKEN=«postmark-token {uuid}»'],
  [
    'a header of Klaviyo',
    "headers: { Authorization: 'Klaviyo-API-Key «klaviyo-key pk_[a-f0-9]{34}»', revision: '2026-01-15' }",
  ],
  ['settings of MailerSend', 'mailersend.token = «mailersend-token mlsn.[a-f0-9]{64}»\n'],
] as const;

const NONE = [
  ['headers of a message', 'Message-ID: <«- [a-f0-9]{32}»@mail.acme.io>\nX-SG-EID: «- [A-Za-z0-9]{40}»='],
  [
    'a signature of DKIM',
    'DKIM-Signature: v=1; a=rsa-sha256; d=acme.io; s=key1; bh=«- [A-Za-z0-9+/]{43}»=; b=«- [A-Za-z0-9+/]{86}»==',
  ],
  [
    'a public key of DKIM',
    'k1._domainkey IN TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ«- [A-Za-z0-9+/]{120}»"',
  ],
  ['a multipart boundary', 'Content-Type: multipart/mixed; boundary="----=_Part_«- [a-f0-9]{32}»"'],
  ['a template', 'SENDGRID_API_KEY=SG.xxxxxxxxxxxxxxxxxxxxxx.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  ['a link to unsubscribe', 'https://click.acme.io/u/«- [A-Za-z0-9]{40}»?list=«- [a-f0-9]{10}»'],
  ['names', 're_compile_pattern_for_headers key-value-pairs-of-the-mail-settings SG.Controllers.MailController'],
] as const;

describe('keys of mail services', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
