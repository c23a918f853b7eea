import type { TokenRule } from './rule.ts';

const SLACK = 'https://docs.slack.dev/authentication/tokens';

/** Chat, messaging and telephony. */
export const CHAT_RULES: readonly TokenRule[] = [
  {
    id: 'slack-token',
    title: 'Slack token',
    kind: 'access-token',
    source: SLACK,
    wrapped: true,
    forms: [
      'xoxb-[0-9]{8,14}-[A-Za-z0-9-]{10,64}',
      'xoxp-[0-9]{8,14}-[A-Za-z0-9-]{10,90}',
      'xoxa-[0-9]{1,14}-[A-Za-z0-9-]{10,90}',
      'xoxo-[0-9]{8,14}-[A-Za-z0-9-]{10,90}',
      'xoxr-[0-9]{8,14}-[A-Za-z0-9-]{10,90}',
      'xoxs-[0-9]{8,14}-[A-Za-z0-9-]{10,90}',
      'xoxc-[0-9]{8,14}-[A-Za-z0-9-]{10,110}',
      'xoxe-[0-9]{1,2}-[A-Za-z0-9]{100,200}',
      'xoxe.xoxp-[0-9]{1,2}-[A-Za-z0-9]{90,200}',
      'xoxe.xoxb-[0-9]{1,2}-[A-Za-z0-9]{90,200}',
      'xapp-[0-9]{1,2}-[A-Z0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9]{32,96}',
    ],
  },
  {
    id: 'slack-session-cookie',
    title: 'Slack session cookie',
    kind: 'access-token',
    source: SLACK,
    forms: ['xoxd-[A-Za-z0-9%+/=-]{80,600}'],
  },
  {
    id: 'slack-webhook',
    title: 'Slack webhook',
    kind: 'access-token',
    source: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
    forms: [
      'https://<hooks.slack.com/services/>T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/[A-Za-z0-9]{23,25}',
      'https://<hooks.slack.com/workflows/>T[A-Z0-9]{8,12}/A[A-Z0-9]{8,12}/[0-9]{15,20}/[A-Za-z0-9]{23,25}',
      'https://<hooks.slack.com/triggers/>[A-Z0-9]{8,12}/[0-9]{10,20}/[a-f0-9]{32}',
    ],
  },
  {
    id: 'discord-webhook',
    title: 'Discord webhook',
    kind: 'access-token',
    source: 'https://discord.com/developers/docs/resources/webhook',
    forms: [
      'https://<discord.com/api/webhooks/>[0-9]{17,20}/[A-Za-z0-9_-]{60,72}',
      'https://<discordapp.com/api/webhooks/>[0-9]{17,20}/[A-Za-z0-9_-]{60,72}',
    ],
  },
  {
    id: 'telegram-bot-token',
    title: 'Telegram bot token',
    kind: 'access-token',
    source: 'https://core.telegram.org/bots/api#authorizing-your-bot',
    forms: ['[0-9]{8,10}<:AA>[A-Za-z0-9_-]{32,33}'],
  },
  {
    id: 'teams-webhook',
    title: 'Microsoft Teams webhook',
    kind: 'access-token',
    source:
      'https://learn.microsoft.com/en-us/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook',
    forms: [
      '.webhook.office.com/webhookb2/^[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{24,32}',
      'outlook.office.com/webhook/^[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{24,32}',
    ],
  },
  {
    id: 'twilio-api-key',
    title: 'Twilio API key',
    kind: 'access-token',
    source: 'https://www.twilio.com/docs/iam/api-keys',
    forms: ['SK[a-f0-9]{32}'],
  },
  {
    id: 'telnyx-api-key',
    title: 'Telnyx API key',
    kind: 'access-token',
    source: 'https://developers.telnyx.com/docs/account-setup/create-api-keys',
    forms: ['KEY[0-9A-F]{32}_[A-Za-z0-9]{22}'],
  },
  {
    id: 'signalwire-token',
    title: 'SignalWire API token',
    kind: 'access-token',
    source: 'https://developer.signalwire.com/rest/signalwire-rest/overview/authentication',
    forms: ['PT[a-f0-9]{48}'],
  },
  {
    id: 'pubnub-key',
    title: 'PubNub key',
    kind: 'access-token',
    source: 'https://www.pubnub.com/docs/general/setup/account-setup',
    forms: ['sec-c-[A-Za-z0-9]{44,56}', 'pub-c-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'],
  },
  {
    id: 'facebook-access-token',
    title: 'Facebook or Instagram access token',
    kind: 'access-token',
    source: 'https://developers.facebook.com/docs/facebook-login/guides/access-tokens/',
    forms: [
      'EAACEdEose0cBA[A-Za-z0-9]{20,400}',
      'EAA[A-Z]{1}[A-Za-z0-9]{90,400}',
      'IGQV[A-Za-z0-9_-]{90,400}',
      '[0-9]{15,17}<%7C>[A-Za-z0-9_-]{27}',
    ],
  },
  {
    id: 'twitter-bearer-token',
    title: 'X (Twitter) bearer token',
    kind: 'access-token',
    source: 'https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/bearer-tokens',
    forms: ['AAAAAAAAAAAAAAAAAAAAA^[A-Za-z0-9%]{60,120}'],
  },
  {
    id: 'intercom-token',
    title: 'Intercom access token',
    kind: 'access-token',
    source: 'https://developers.intercom.com/docs/build-an-integration/learn-more/authentication',
    forms: ['dG9rO[A-Za-z0-9+/]{54}='],
  },
  {
    id: 'beamer-token',
    title: 'Beamer API key',
    kind: 'access-token',
    source: 'https://www.getbeamer.com/api',
    forms: ['b_[A-Za-z0-9=_-]{44}'],
    surprise: 5.2,
  },
];
