import type { TokenRule } from '../verify/rule.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Identity providers and the access they hand out. */
export const IDENTITY_RULES: readonly TokenRule[] = [
  {
    id: 'gateway-account-key',
    title: 'Account key of a gateway',
    kind: 'access-token',
    source: 'docs/configuration.md',
    wrapped: true,
    forms: ['gwk_[a-f0-9]{48}'],
  },
  {
    id: 'stytch-secret',
    title: 'Stytch secret',
    kind: 'access-token',
    source: 'https://stytch.com/docs/api/authentication',
    forms: ['secret-live-[A-Za-z0-9_-]{36}=', 'secret-test-[A-Za-z0-9_-]{36}='],
  },
  {
    id: 'authress-key',
    title: 'Authress access key',
    kind: 'access-token',
    source: 'https://authress.io/knowledge-base/docs/authorization/service-clients',
    forms: [
      'sc_[A-Za-z0-9]{5,30}.[A-Za-z0-9]{4,6}.acc_[A-Za-z0-9-]{10,32}.[A-Za-z0-9+/_=-]{30,120}',
      'ext_[A-Za-z0-9]{5,30}.[A-Za-z0-9]{4,6}.acc_[A-Za-z0-9-]{10,32}.[A-Za-z0-9+/_=-]{30,120}',
    ],
  },
  {
    id: 'intra42-secret',
    title: '42 Intra client secret',
    kind: 'access-token',
    source: 'https://api.intra.42.fr/apidoc/guides/getting_started',
    forms: ['s-s4t2ud-[a-f0-9]{64}', 's-s4t2af-[a-f0-9]{64}'],
  },
  {
    id: 'onfido-token',
    title: 'Onfido API token',
    kind: 'access-token',
    source: 'https://documentation.onfido.com/api/latest/#api-tokens',
    forms: [
      'api_live.[A-Za-z0-9_-]{11}.[A-Za-z0-9_-]{32}',
      'api_sandbox.[A-Za-z0-9_-]{11}.[A-Za-z0-9_-]{32}',
      'api_live_us.[A-Za-z0-9_-]{11}.[A-Za-z0-9_-]{32}',
    ],
  },
  {
    id: 'persona-key',
    title: 'Persona API key',
    kind: 'access-token',
    source: 'https://docs.withpersona.com/api-keys',
    forms: [`persona_production_${UUID}`, `persona_sandbox_${UUID}`],
  },
  {
    id: 'salesforce-token',
    title: 'Salesforce access token',
    kind: 'access-token',
    source: 'https://help.salesforce.com/s/articleView?id=sf.remoteaccess_access_tokens.htm',
    forms: [
      '00D[A-Za-z0-9]{12}<!A>[A-Za-z0-9_.]{80,260}',
      '00D[A-Za-z0-9]{15}<!A>[A-Za-z0-9_.]{80,260}',
      '00D[A-Za-z0-9]{12}<!C>[A-Za-z0-9_.]{80,260}',
    ],
  },
  {
    id: 'hubspot-token',
    title: 'HubSpot private app token',
    kind: 'access-token',
    source: 'https://developers.hubspot.com/docs/guides/apps/private-apps/overview',
    forms: [`pat-na1-${UUID}`, `pat-na2-${UUID}`, `pat-eu1-${UUID}`, `pat-ap1-${UUID}`],
  },
  {
    id: 'microsoft-refresh-token',
    title: 'Microsoft account or Entra refresh token',
    kind: 'access-token',
    source: 'https://learn.microsoft.com/en-us/entra/identity-platform/refresh-tokens',
    forms: ['EwB[A-Za-z0-9+/=]{100,1500}'],
  },
  {
    id: 'teamcity-token',
    title: 'TeamCity token',
    kind: 'access-token',
    source: 'https://www.jetbrains.com/help/teamcity/configuring-your-user-profile.html',
    forms: ['eyJ0eXAiOiAiVENWMiJ9.[A-Za-z0-9_-]{30,50}.[A-Za-z0-9_-]{40,64}'],
  },
  {
    id: 'jetbrains-token',
    title: 'JetBrains Hub, YouTrack or Space token',
    kind: 'access-token',
    source: 'https://www.jetbrains.com/help/youtrack/server/manage-permanent-token.html',
    forms: [
      'perm:[A-Za-z0-9=]{4,60}.[A-Za-z0-9=-]{2,60}.[A-Za-z0-9]{30}',
      'perm-[A-Za-z0-9=]{4,60}.[A-Za-z0-9=-]{2,60}.[A-Za-z0-9]{30}',
    ],
  },
];

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

/** Secret managers, infrastructure as code and the tools that hold the keys of everything else. */
export const VAULT_RULES: readonly TokenRule[] = [
  {
    id: 'hashicorp-vault-token',
    title: 'HashiCorp Vault token',
    kind: 'infra-key',
    source: 'https://developer.hashicorp.com/vault/docs/concepts/tokens',
    forms: ['hvs.[A-Za-z0-9_-]{24,300}', 'hvb.[A-Za-z0-9_-]{60,400}', 'hvr.[A-Za-z0-9_-]{24,300}'],
  },
  {
    id: 'hashicorp-terraform-token',
    title: 'Terraform Cloud token',
    kind: 'infra-key',
    source: 'https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens',
    forms: ['[A-Za-z0-9]{14}<.atlasv1.>[A-Za-z0-9_=-]{60,70}'],
  },
  {
    id: 'hashicorp-boundary-token',
    title: 'HashiCorp Boundary token',
    kind: 'infra-key',
    source: 'https://developer.hashicorp.com/boundary/docs/concepts/security/credentials',
    forms: ['at_[A-Za-z0-9]{10}_[A-Za-z0-9]{60,200}'],
  },
  {
    id: 'doppler-token',
    title: 'Doppler token',
    kind: 'infra-key',
    source: 'https://docs.doppler.com/reference/auth-token-formats',
    forms: [
      'dp.pt.[A-Za-z0-9]{40,44}',
      'dp.ct.[A-Za-z0-9]{40,44}',
      'dp.sa.[A-Za-z0-9]{40,44}',
      'dp.said.[A-Za-z0-9]{40,44}',
      'dp.scim.[A-Za-z0-9]{40,44}',
      'dp.audit.[A-Za-z0-9]{40,44}',
      'dp.st.[A-Za-z0-9]{40,44}',
      'dp.st.[a-z0-9_-]{2,35}.[A-Za-z0-9]{40,44}',
    ],
  },
  {
    id: 'pulumi-token',
    title: 'Pulumi access token',
    kind: 'infra-key',
    source: 'https://www.pulumi.com/docs/pulumi-cloud/access-management/access-tokens/',
    forms: ['pul-[a-f0-9]{40}'],
  },
  {
    id: 'infracost-token',
    title: 'Infracost API token',
    kind: 'infra-key',
    source: 'https://www.infracost.io/docs/',
    forms: ['ico-[A-Za-z0-9]{32}'],
  },
  {
    id: '1password-secret-key',
    title: '1Password secret key',
    kind: 'infra-key',
    source: 'https://support.1password.com/secret-key-security/',
    forms: [
      'A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
      'A3-[A-Z0-9]{6}-[A-Z0-9]{11}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
    ],
  },
  {
    id: '1password-service-account',
    title: '1Password service account token',
    kind: 'infra-key',
    source: 'https://developer.1password.com/docs/service-accounts/security/',
    forms: ['ops_eyJ[A-Za-z0-9+/=_-]{90,2000}'],
  },
  {
    id: 'infisical-token',
    title: 'Infisical service token',
    kind: 'infra-key',
    source: 'https://infisical.com/docs/documentation/platform/token',
    forms: [
      'st.[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}.[a-f0-9]{32}.[a-f0-9]{32}',
      'st.[a-f0-9]{24}.[a-f0-9]{32}.[a-f0-9]{32}',
    ],
  },
  {
    id: 'harness-token',
    title: 'Harness API key',
    kind: 'infra-key',
    source: 'https://developer.harness.io/docs/platform/automation/api/add-and-manage-api-keys/',
    forms: [
      'pat.[A-Za-z0-9_-]{22}.[A-Za-z0-9]{24}.[A-Za-z0-9]{20}',
      'sat.[A-Za-z0-9_-]{22}.[A-Za-z0-9]{24}.[A-Za-z0-9]{20}',
    ],
  },
  {
    id: 'octopus-deploy-api-key',
    title: 'Octopus Deploy API key',
    kind: 'infra-key',
    source: 'https://octopus.com/docs/octopus-rest-api/how-to-create-an-api-key',
    forms: ['API-[A-Z0-9]{26}', 'API-[A-Z0-9]{31,36}'],
  },
  {
    id: 'age-secret-key',
    title: 'age identity',
    kind: 'private-key',
    source: 'https://age-encryption.org/v1',
    forms: ['AGE-SECRET-KEY-1[A-Z0-9]{56,62}', 'AGE-SECRET-KEY-PQ-1[A-Z0-9]{56,62}'],
  },
  {
    id: 'openshift-token',
    title: 'OpenShift user token',
    kind: 'infra-key',
    source: 'https://docs.openshift.com/container-platform/latest/authentication/managing-oauth-access-tokens.html',
    forms: ['sha256~[A-Za-z0-9_-]{43}'],
  },
  {
    id: 'rancher-token',
    title: 'Rancher API token',
    kind: 'infra-key',
    source: 'https://ranchermanager.docs.rancher.com/reference-guides/user-settings/api-keys',
    forms: ['kubeconfig-user-[a-z0-9]{5,10}:[a-z0-9]{54}'],
  },
  {
    id: 'pixie-key',
    title: 'Pixie key',
    kind: 'infra-key',
    source: 'https://docs.px.dev/reference/admin/api-keys/',
    forms: [
      'px-api-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
      'px-dep-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    ],
  },
];
