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
