import type { TokenRule } from '../verify/rule.ts';

/** Electronic mail and marketing. */
export const MAIL_RULES: readonly TokenRule[] = [
  {
    id: 'sendgrid-key',
    title: 'SendGrid API key',
    kind: 'access-token',
    source: 'https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys',
    forms: ['SG.[A-Za-z0-9_=-]{16,64}.[A-Za-z0-9_=-]{16,64}', 'SG.[A-Za-z0-9_=-]{66}'],
  },
  {
    id: 'mailgun-key',
    title: 'Mailgun key',
    kind: 'access-token',
    source: 'https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/rbac-mgmt',
    forms: ['key-[a-f0-9]{32}', 'pubkey-[a-f0-9]{32}'],
  },
  {
    id: 'mailchimp-key',
    title: 'Mailchimp API key',
    kind: 'access-token',
    source: 'https://mailchimp.com/developer/marketing/guides/quick-start/',
    forms: ['[a-f0-9]{32}<-us>[0-9]{1,2}'],
  },
  {
    id: 'mandrill-key',
    title: 'Mandrill API key',
    kind: 'access-token',
    source: 'https://mailchimp.com/developer/transactional/guides/quick-start/',
    forms: ['md-[A-Za-z0-9_-]{22}'],
    crossEntropy: 5.2,
  },
  {
    id: 'brevo-key',
    title: 'Brevo (Sendinblue) key',
    kind: 'access-token',
    source: 'https://developers.brevo.com/docs/getting-started',
    forms: ['xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}', 'xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  },
  {
    id: 'resend-key',
    title: 'Resend API key',
    kind: 'access-token',
    source: 'https://resend.com/docs/dashboard/api-keys/introduction',
    forms: ['re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}'],
  },
  {
    id: 'mailersend-token',
    title: 'MailerSend API token',
    kind: 'access-token',
    source: 'https://developers.mailersend.com/general.html#authentication',
    forms: ['mlsn.[a-f0-9]{64}'],
  },
  {
    id: 'klaviyo-key',
    title: 'Klaviyo private key',
    kind: 'access-token',
    source: 'https://developers.klaviyo.com/en/docs/authenticate_',
    forms: ['pk_[a-f0-9]{34}'],
  },
  {
    id: 'smtp2go-key',
    title: 'SMTP2GO API key',
    kind: 'access-token',
    source: 'https://developers.smtp2go.com/docs/introduction-guide',
    forms: ['api-[A-F0-9]{32}'],
  },
  {
    id: 'courier-key',
    title: 'Courier API key',
    kind: 'access-token',
    source: 'https://www.courier.com/docs/reference/auth/intro',
    forms: ['pk_prod_[A-Z0-9]{28}', 'pk_test_[A-Z0-9]{28}', 'dk_prod_[A-Z0-9]{28}'],
  },
  {
    id: 'nylas-key',
    title: 'Nylas API key',
    kind: 'access-token',
    source: 'https://developer.nylas.com/docs/v3/auth/',
    forms: ['nyk_[A-Za-z0-9]{67}'],
  },
];
