import type { TokenRule } from '../verify/rule.ts';

/**
 * How a bot's token begins: with the bot's number in base64, here its first two digits. Left out are 4, 5, 8 and 9 as the first
 * one, whose letters (`nde`, `ote`) every text is full of: such a token is found by the name it is given.
 */
const BOTS = ['MT', 'Mj', 'Mz', 'Nj', 'Nz'].flatMap((digit) => 'AEIMQUYcgk'.split('').map((second) => digit + second));

/** Tokens that stand for one bot, one sign-in, one device or one joining machine. */
export const SESSION_RULES: readonly TokenRule[] = [
  {
    id: 'discord-bot-token',
    title: 'Discord bot token',
    kind: 'access-token',
    source: 'https://discord.com/developers/docs/reference#authentication',
    forms: BOTS.map((beginning) => `${beginning}[w-z0-5]{1}[A-Za-z0-9]{19,22}.[A-Za-z0-9_-]{6}.[A-Za-z0-9_-]{27,38}`),
  },
  {
    id: 'google-refresh-token',
    title: 'Google OAuth refresh token',
    kind: 'access-token',
    source: 'https://developers.google.com/identity/protocols/oauth2/web-server#offline',
    forms: ['1//0[A-Za-z0-9_-]{40,120}'],
  },
  {
    id: 'firebase-server-key',
    title: 'Firebase Cloud Messaging server key',
    kind: 'access-token',
    source: 'https://firebase.google.com/docs/cloud-messaging/auth-server',
    forms: ['[A-Za-z0-9_-]{11}<:APA91b>[A-Za-z0-9_-]{100,160}'],
  },
  {
    id: 'ory-session-token',
    title: 'Ory token',
    kind: 'access-token',
    source: 'https://www.ory.sh/docs/oauth2-oidc/overview/oauth2-concepts',
    forms: ['ory_at_[A-Za-z0-9_-]{43}.[A-Za-z0-9_-]{43}', 'ory_rt_[A-Za-z0-9_-]{43}.[A-Za-z0-9_-]{43}'],
  },
  {
    id: 'k3s-token',
    title: 'K3s cluster token',
    kind: 'infra-key',
    source: 'https://docs.k3s.io/cli/token',
    forms: ['K10[a-f0-9]{64}::server:[a-f0-9]{32}', 'K10[a-f0-9]{64}::node:[a-f0-9]{32}'],
  },
  {
    id: 'coze-token',
    title: 'Coze personal access token',
    kind: 'access-token',
    source: 'https://www.coze.com/docs/developer_guides/pat',
    forms: ['pat_[A-Za-z0-9]{64}'],
  },
  {
    id: 'context7-key',
    title: 'Context7 API key',
    kind: 'access-token',
    source: 'https://context7.com/docs/howto/api-keys',
    forms: ['ctx7sk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'],
  },
  {
    id: 'riot-key',
    title: 'Riot Games API key',
    kind: 'access-token',
    source: 'https://developer.riotgames.com/docs/portal',
    forms: ['RGAPI-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'],
  },
  {
    id: 'hcaptcha-secret',
    title: 'hCaptcha account secret',
    kind: 'access-token',
    source: 'https://docs.hcaptcha.com/#verify-the-user-response-server-side',
    forms: ['ES_[0-9a-f]{32}'],
  },
  {
    id: 'extended-private-key',
    title: 'Extended private key of a wallet (BIP 32)',
    kind: 'private-key',
    source: 'https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki#serialization-format',
    forms: ['xprv[1-9A-HJ-NP-Za-km-z]{107}', 'tprv[1-9A-HJ-NP-Za-km-z]{107}', 'zprv[1-9A-HJ-NP-Za-km-z]{107}'],
  },
];
