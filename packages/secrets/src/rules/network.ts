import type { TokenRule } from '../verify/rule.ts';

/** Keys of content delivery, private networks and what stands at the edge. */
export const NETWORK_RULES: readonly TokenRule[] = [
  {
    id: 'cloudflare-token',
    title: 'Cloudflare API token',
    kind: 'infra-key',
    source: 'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/',
    forms: ['cfut_[A-Za-z0-9]{48}', 'cfat_[A-Za-z0-9]{48}', 'cfk_[A-Za-z0-9]{48}'],
  },
  {
    id: 'cloudflare-origin-ca-key',
    title: 'Cloudflare origin CA key',
    kind: 'infra-key',
    source: 'https://developers.cloudflare.com/fundamentals/api/get-started/ca-keys/',
    forms: ['v1.0-[a-f0-9]{24}-[a-f0-9]{146}'],
  },
  {
    id: 'tailscale-key',
    title: 'Tailscale key',
    kind: 'infra-key',
    source: 'https://tailscale.com/kb/1277/key-prefixes',
    forms: [
      'tskey-auth-[A-Za-z0-9]{9,24}-[A-Za-z0-9]{20,48}',
      'tskey-api-[A-Za-z0-9]{9,24}-[A-Za-z0-9]{20,48}',
      'tskey-client-[A-Za-z0-9]{9,24}-[A-Za-z0-9]{20,48}',
      'tskey-scim-[A-Za-z0-9]{9,24}-[A-Za-z0-9]{20,48}',
      'tskey-webhook-[A-Za-z0-9]{9,24}-[A-Za-z0-9]{20,48}',
      'tskey-[a-f0-9]{16,40}',
    ],
  },
  {
    id: 'defined-networking-token',
    title: 'Defined Networking API key',
    kind: 'infra-key',
    source: 'https://docs.defined.net/api/defined-networking-api/',
    forms: ['dnkey-[A-Za-z0-9=_-]{79}'],
  },
  {
    id: 'akamai-credential',
    title: 'Akamai EdgeGrid credential',
    kind: 'infra-key',
    source: 'https://techdocs.akamai.com/developer/docs/edgegrid',
    forms: ['akab-[a-z0-9]{16}-[a-z0-9]{16}'],
  },
  {
    id: 'ngrok-token',
    title: 'ngrok API key',
    kind: 'infra-key',
    source: 'https://ngrok.com/docs/api/',
    forms: ['ngrok_[A-Za-z0-9]{20,60}', 'cr_[A-Za-z0-9]{27}_[A-Za-z0-9]{21}'],
  },
  {
    id: 'netbird-token',
    title: 'NetBird access token',
    kind: 'infra-key',
    source: 'https://docs.netbird.io/how-to/access-netbird-public-api',
    forms: ['nbp_[A-Za-z0-9]{36}'],
  },
  {
    id: 'imgix-key',
    title: 'imgix API key',
    kind: 'infra-key',
    source: 'https://docs.imgix.com/apis/management',
    forms: ['ak_[a-f0-9]{64}'],
  },
];
