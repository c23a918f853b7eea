import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep keys of services that they build applications on. */
const SECRETS = [
  [
    'settings of background jobs',
    'TRIGGER_SECRET_KEY=«trigger-key tr_prod_[A-Za-z0-9]{24}»\nINNGEST_SIGNING_KEY=«inngest-key signkey-prod-[a-f0-9]{64}»',
  ],
  [
    'settings of Django',
    "SECRET_KEY = '«django-insecure-key django-insecure-[a-z0-9!@#$%^&*(_=+)-]{50}»'\nDEBUG = True",
  ],
  ['settings of Django in production', "SECRET_KEY = '«django-secret-key [a-z0-9!@#%^&*_=+]{50}»'"],
  ['the cookie of a cluster', 'environment:\n  RABBITMQ_ERLANG_COOKIE: «erlang-cookie [A-Z]{20}»'],
  [
    'a configuration store of Azure',
    'az_appconfig=Endpoint=https://acme.azconfig.io;Id=«azure-app-configuration [a-z0-9]{4}-l0-s0:[A-Za-z0-9+/]{20};Secret=[A-Za-z0-9+/]{43}=»',
  ],
  ['credentials of Sidekiq', 'BUNDLE_ENTERPRISE__CONTRIBSYS__COM: "«sidekiq-secret [a-f0-9]{8}:[a-f0-9]{8}»"\n'],
  ['a key of fal', 'FAL_KEY=«fal-key {uuid}:[a-f0-9]{32}» python generate.py'],
  ['flags of Unleash', 'UNLEASH_API_TOKEN=*:production.«unleash-token [a-f0-9]{60}»'],
  ['a key of Liveblocks', "new Liveblocks({ secret: '«liveblocks-key sk_prod_[A-Za-z0-9_-]{60}»' })"],
  [
    'pictures',
    'imagekit = new ImageKit({ publicKey: "public_abc=", privateKey: "«imagekit-key private_[A-Za-z0-9+/]{27}=»" })',
  ],
  ['a sandbox', 'CSB_API_KEY=«codesandbox-token csb_v1_[A-Za-z0-9_-]{43}» npx sandbox'],
  ['a browser', `BROWSERBASE_API_KEY: '«browserbase-key bb_live_[A-Za-z0-9_-]{27}»'`],
  ['a provider that follows the convention', 'ACME_KEY=«convention-token acme_live_[A-Za-z0-9]{40}»'],
  [
    'a vulnerability scanner',
    'curl -H "X-Api-Key: «dependency-track-key odt_[A-Za-z0-9]{32}»" https://dtrack.acme.io/api/v1/bom',
  ],
] as const;

const NONE = [
  ['public counterparts', 'pk_live_token_«- [A-Za-z0-9]{30}» public_live_«- [A-Za-z0-9]{30}»'],
  [
    'names of tables and queues',
    'orders_live_customer_notification_dispatcher, users_prod_replication_slot_for_analytics',
  ],
  ['names of functions', 'get_api_response_for_authenticated_user_session(), create_token_bucket_rate_limiter()'],
  ['names of environment variables', 'STRIPE_LIVE_SECRET_KEY_FOR_REPORTS and acme_prod_database_connection_string'],
  ['a template of Django', "SECRET_KEY = 'django-insecure-change-me-before-going-to-production-please-now'"],
  ['how Django is read', "SECRET_KEY = os.environ['DJANGO_SECRET_KEY']\nSECRET_KEY = env('SECRET_KEY')"],
  ['identifiers of components', 'data-testid="dub_card_header_with_avatar" class="sig_block_quote_container"'],
  ['words and numbers', 'up_to_date_documentation_required, aio_write_completion_callback_fn'],
] as const;

describe('keys of services for developers', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
