import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep credentials of chat, messaging and telephony. */
const SECRETS = [
  [
    'the environment of a Slack application',
    `SLACK_BOT_TOKEN=«slack-token xoxb-[0-9]{12}-[0-9]{13}-[A-Za-z0-9]{24}»
SLACK_APP_TOKEN=«slack-token xapp-1-A[A-Z0-9]{10}-[0-9]{13}-[a-f0-9]{64}»
SLACK_SIGNING_SECRET=«named-secret [a-f0-9]{32}»
`,
  ],
  [
    'a message from a script',
    `curl -X POST -H 'Content-type: application/json' --data '{"text":"done"}' «slack-webhook https://hooks.slack.com/services/T[A-Z0-9]{10}/B[A-Z0-9]{10}/[A-Za-z0-9]{24}»`,
  ],
  [
    'receivers of an alert manager',
    'slack_configs:\n  - api_url: "«slack-webhook https://hooks.slack.com/services/T[A-Z0-9]{8}/B[A-Z0-9]{10}/[A-Za-z0-9]{24}»"\n    channel: "#alerts"',
  ],
  ['requests of a browser', 'cookie: b=.abc; d=«slack-session-cookie xoxd-[A-Za-z0-9%]{140}»; lc=1767348672'],
  [
    'a webhook of Discord in code',
    'requests.post("«discord-webhook https://discord.com/api/webhooks/[0-9]{19}/[A-Za-z0-9_-]{68}»", json={"content": "up"})',
  ],
  [
    'a bot of Discord',
    "client.login('«discord-bot-token MTA[w-z0-5]{1}[A-Za-z0-9]{21}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{38}»');",
  ],
  [
    'the address of a bot of Telegram',
    'https://api.telegram.org/bot«telegram-bot-token [0-9]{10}:AA[A-Za-z0-9_-]{33}»/getUpdates?offset=-1',
  ],
  [
    'a bot of Telegram in YAML',
    'telegram:\n  token: "«telegram-bot-token [0-9]{10}:AA[A-Za-z0-9_-]{33}»"\n  chat: -1001234567890',
  ],
  [
    'a webhook of Teams',
    "$uri = 'https://acme.webhook.office.com/webhookb2/«teams-webhook {uuid}@{uuid}/IncomingWebhook/[a-f0-9]{32}/{uuid}»'",
  ],
  [
    'a client of Twilio',
    `client = Client(account_sid="AC«- [a-f0-9]{32}»", username="«twilio-api-key SK[a-f0-9]{32}»", password=secret)`,
  ],
  [
    'a call of the Graph interface',
    'GET https://graph.facebook.com/v19.0/me?fields=id&access_token=«facebook-access-token EAAG[A-Za-z0-9]{160}»',
  ],
  ['a bearer token of X', 'TWITTER_BEARER_TOKEN=AAAAAAAAAAAAAAAAAAAAA«twitter-bearer-token [A-Za-z0-9%]{88}»'],
  [
    'the files of PubNub',
    'const pubnub = new PubNub({ subscribeKey: "sub-c-«- {uuid}»", secretKey: "«pubnub-key sec-c-[A-Za-z0-9]{48}»" });',
  ],
] as const;

const NONE = [
  [
    'identifiers of Slack',
    'team T0«- [A-Z0-9]{8}», channel C0«- [A-Z0-9]{8}», user U0«- [A-Z0-9]{8}», ts 1767348672.123456',
  ],
  ['documentation of a webhook', 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'],
  ['an invitation', 'https://discord.gg/abcdEFGH and https://discord.com/channels/«- [0-9]{18}»/«- [0-9]{19}»'],
  ['numbers of Twilio', 'AC«- [a-f0-9]{32}» sent SM«- [a-f0-9]{32}» from PN«- [a-f0-9]{32}»'],
  [
    'a placeholder',
    'SLACK_BOT_TOKEN=xoxb-your-token-here\nTELEGRAM_TOKEN=123456789:AABBCCDDEEFFGGHHIIJJKKLLMMNNOOPPQQR',
  ],
  ['telephone numbers', 'from +49 30 901820 to +1 415 555 0132 at 10:11:12'],
  ['base64 that begins with zero bytes', 'icon = AAAAAAAAAAAAAAAAAAAA'],
  ['a link to a call', 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_«- [A-Za-z0-9]{40}»%40thread.v2/0'],
] as const;

describe('credentials of chat', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
