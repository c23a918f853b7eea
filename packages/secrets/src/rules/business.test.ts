import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep credentials of payment, banking and shipping. */
const SECRETS = [
  [
    'settings of a shop',
    `STRIPE_PUBLISHABLE_KEY=pk_live_«- [A-Za-z0-9]{99}»
STRIPE_SECRET_KEY=«stripe-key sk_live_[A-Za-z0-9]{99}»
STRIPE_WEBHOOK_SECRET=«stripe-webhook-secret whsec_[A-Za-z0-9]{32}»
`,
  ],
  ['code in Ruby', "Stripe.api_key = '«stripe-key rk_live_[A-Za-z0-9]{99}»'\nStripe::Charge.list(limit: 3)"],
  [
    'a request with curl',
    'curl https://api.stripe.com/v1/charges -u «stripe-key sk_test_[A-Za-z0-9]{99}»: -d amount=2000',
  ],
  [
    'what the command line of Stripe prints',
    '> Ready! Your webhook signing secret is «stripe-webhook-secret whsec_[a-f0-9]{64}» (^C to quit)',
  ],
  [
    'settings of Square',
    'square:\n  access-token: «square-token sq0atp-[A-Za-z0-9_-]{22}»\n  application-id: sq0idp-«- [A-Za-z0-9_-]{22}»\n',
  ],
  [
    'settings of Braintree',
    "gateway = braintree.connect('«braintree-token access_token$production$[0-9a-z]{16}$[0-9a-f]{32}»')",
  ],
  [
    'a client of Razorpay',
    'var instance = new Razorpay({ key_id: "«razorpay-key rzp_live_[A-Za-z0-9]{14}»", key_secret: "«named-secret [A-Za-z0-9]{24}»" })',
  ],
  [
    'a client of Plaid',
    '{"client_id":"«- [a-f0-9]{24}»","secret":"«named-secret [a-f0-9]{30}»","access_token":"«plaid-token access-production-{uuid}»"}',
  ],
  [
    'settings of a Shopify application',
    'SHOPIFY_ACCESS_TOKEN=«shopify-token shpat_[a-f0-9]{32}»\nSHOPIFY_API_SECRET=«shopify-token shpss_[a-f0-9]{32}»\n',
  ],
  [
    'a call of a WooCommerce shop',
    'https://shop.acme.io/wp-json/wc/v3/orders?consumer_key=«woocommerce-key ck_[a-f0-9]{40}»&consumer_secret=«woocommerce-key cs_[a-f0-9]{40}»',
  ],
  [
    'labels of parcels',
    'curl https://api.goshippo.com/shipments/ -H "Authorization: ShippoToken «shippo-token shippo_live_[a-f0-9]{40}»"',
  ],
  [
    'settings of Mercado Pago',
    'MP_ACCESS_TOKEN="«mercado-pago-token APP_USR-[0-9]{16}-[0-9]{6}-[a-f0-9]{32}-[0-9]{9}»"',
  ],
  [
    'settings of Paddle',
    "const paddle = new Paddle('«paddle-key pdl_live_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}»');",
  ],
  [
    'settings of Mollie and Flutterwave',
    'mollie.key=«mollie-key live_[A-Za-z0-9]{30}»\nflutterwave.key=«flutterwave-key FLWSECK-[a-z0-9]{32}-X»',
  ],
] as const;

const NONE = [
  ['keys that web pages show', 'Stripe("pk_live_«- [A-Za-z0-9]{99}»"); Stripe("pk_test_«- [A-Za-z0-9]{24}»")'],
  [
    'identifiers of payments',
    'ch_«- [A-Za-z0-9]{24}» pi_«- [A-Za-z0-9]{24}» cus_«- [A-Za-z0-9]{14}» evt_«- [A-Za-z0-9]{24}»',
  ],
  [
    'identifiers of prices and products',
    'price_«- [A-Za-z0-9]{24}», prod_«- [A-Za-z0-9]{14}», sub_«- [A-Za-z0-9]{24}», acct_«- [A-Za-z0-9]{16}»',
  ],
  ['numbers of test cards', '4242 4242 4242 4242, 4000-0025-0000-3155, 378282246310005, cvc 123, 12/34'],
  ['account numbers', 'IBAN DE89 3704 0044 0532 0130 00, BIC COBADEFFXXX'],
  [
    'a template',
    'STRIPE_SECRET_KEY=sk_test_YOUR_SECRET_KEY\nSTRIPE_WEBHOOK_SECRET=whsec_...\nPLAID_SECRET=<your secret>',
  ],
  ['a test that invents a key', "expect(redact('sk_live_xxxxxxxxxxxxxxxxxxxxxxxx')).toBe('sk_live_***');"],
  ['the signature of a webhook', 'Stripe-Signature: t=1767348672,v1=«- [a-f0-9]{64}»,v0=«- [a-f0-9]{64}»'],
  [
    'names of metrics',
    'live_connections_total, test_coverage_by_component_and_team, access_log_format_for_production_use',
  ],
  ['numbers of parcels', '1Z999AA10123456784 and 00340434161094021501'],
] as const;

describe('credentials of payment', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
